// How a fit is to be carried out: the [fit] table of a parameter file, or the bounds and flags of a
// MilkyWay@Home text file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// A parameter stays within [lower, upper].
struct ParameterBounds {
    std::string name;  ///< background.q, stream1.mu ...
    double lower = 0, upper = 0;
    std::string lower_place = {}, upper_place = {};  ///< "PATH:LINE" of each; empty: of no file
    /// Of what they say, wherever they say it.
    bool operator==(const ParameterBounds& other) const {
        return name == other.name && lower == other.lower && upper == other.upper;
    }
};

/// What decides the course of a fit. Zero and empty mean: chosen from the number of free parameters
/// and from the model.
struct FitSettings {
    std::string method = "differential-evolution";  ///< or particle-swarm, quasi-newton
    std::string start = "random";  ///< random: within bounds; file: the file's numbers, then random
    int population = 0;
    int generations = 0;
    int starts = 1;      ///< independent searches; the best is finished
    int variations = 3;  ///< times in vain that parts of the best point are drawn anew
    std::uint64_t seed = 1;
    double tolerance = 1e-5;  ///< a search ends where its population's likelihoods differ by less
    std::vector<std::string> free;  ///< names of the parameters to fit
    std::vector<ParameterBounds> bounds;
};

/// The settings that a parameter file holds; defaults where it says nothing. TOML: the table [fit], of
/// which every key must be known; whether a parameter exists is for the fit to say. A text parameter
/// file: bounds and optimize flags; bounds of an angle that go round it say nothing. Throws Error, also
/// where the file says that no parameter is to be fitted.
///
///     [fit]
///     method = "differential-evolution"
///     seed = 1
///     free = ["background.q", "stream1.mu"]
///     [fit.bounds]
///     "background.q" = [0.1, 1.0]
FitSettings parse_fit_settings(const TextSource& source);

/// Throws Error for the first setting out of its range; `where` names the file in the message.
void validate(const FitSettings& settings, const std::string& where);

}  // namespace tessera::io
