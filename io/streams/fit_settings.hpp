// Settings of a fit: the [fit] table of a parameter file, or the bounds and flags of a
// MilkyWay@Home text file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/streams/shared_settings.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// A parameter stays within [lower, upper].
struct ParameterBounds {
    std::string name;  ///< background.q, stream1.mu ...
    double lower = 0, upper = 0;
    std::string lower_place = {},
                upper_place = {};  ///< "PATH:LINE" of each; empty if not from a file
    std::string prior = {};        ///< of a sampling; empty: uniform
    /// Compares the bounds alone.
    bool operator==(const ParameterBounds& other) const {
        return name == other.name && lower == other.lower && upper == other.upper;
    }
};

/// The settings that determine the course of a fit. Zero and empty values mean that the value is
/// chosen from the number of free parameters and the model.
struct FitSettings {
    std::string method = "differential-evolution";  ///< or particle-swarm, newton, quasi-newton
    std::string start = "random";  ///< random: within bounds; file: the file's numbers, then random
    int population = 0;
    int generations = 0;
    int starts = 1;      ///< independent searches; the best one is refined
    int variations = 3;  ///< rounds of varying the best point without improvement
    std::uint64_t seed = 1;
    double tolerance = 1e-5;  ///< a search ends if its population's likelihoods differ by less
    std::vector<std::string> free;  ///< names of the parameters to fit
    std::vector<std::string> fix;   ///< names of parameters that are not fitted after all
    std::vector<ParameterBounds> bounds;
    std::vector<SharedParameter> shared;  ///< parameters that the wedges of a fit share
    /// Each wedge gets the best number of streams in this range; 0: those of the file. Not in the
    /// table [fit].
    int fewest_streams = 0, most_streams = 0;
    int folds = 0;  ///< of the stars, to compare numbers of streams by those held out; 0: by BIC
    std::vector<std::string> profile;  ///< parameters to profile, or "all"; not in the table [fit]
    int bootstrap = 0;                 ///< simulated sets to fit; not in the table [fit]
    /// The populations move point by point, without generations; not in the table [fit].
    bool asynchronous = false;
    double verify = 0;  ///< share of an asynchronous search to evaluate twice; not in the table
};

/// The settings of a parameter file, with defaults for missing ones. In TOML they are the table
/// [fit], whose keys must all be known; the fit checks later whether a parameter exists. In a text
/// file they are the bounds and optimize flags; bounds of an angle that cover the full circle are
/// ignored. Throws Error for bad settings, and if the file has no parameter to fit.
///
///     [fit]
///     method = "differential-evolution"
///     seed = 1
///     free = ["background.q", "stream1.mu"]
///     [fit.bounds]
///     "background.q" = [0.1, 1.0]
FitSettings parse_fit_settings(const TextSource& source);

/// Throws Error for the first setting that is out of range; `where` names the file in the message.
void validate(const FitSettings& settings, const std::string& where);

}  // namespace tessera::io
