// Settings of a fit that the user gives beside the parameter file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/streams/fit_settings.hpp"

namespace tessera::likelihood {

/// The parameter file decides what is empty here.
struct FitChoices {
    std::optional<std::string> method, start;
    std::optional<int> population, generations, starts, variations;
    std::optional<std::uint64_t> seed;
    std::optional<double> search_tolerance;
    bool asynchronous = false;
    double verify = 0;
    std::vector<std::string> free;     ///< names of the parameters to fit
    std::vector<std::string> fix;      ///< names of parameters that keep the values of the file
    std::vector<std::string> share;    ///< names of parameters that all wedges share
    std::vector<std::string> profile;  ///< names of parameters, or "all"
    int bootstrap = 0;                 ///< simulated sets
    std::string streams;               ///< "1:3": the numbers of streams to choose from; or empty
    std::optional<std::string> criterion;  ///< by which to choose: "bic" (default), "held-out"
    int folds = 0;                         ///< for held-out stars; 0: default_folds
    static constexpr int default_folds = 5;

    /// The settings of the file, replaced by those that are given. `where` is named if one of these
    /// is out of range, or if a parameter is both
    /// free and fixed, which is an Error.
    io::FitSettings settings(const io::TextSource& parameters, const std::string& where) const;

    /// A line for a warning about each group of choices that change nothing in a fit with these
    /// settings.
    std::vector<std::string> unused(const io::FitSettings& settings) const;
};

}  // namespace tessera::likelihood
