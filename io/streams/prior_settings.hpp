// Priors of the parameters: the [prior] table of a parameter file.
#pragma once

#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

enum class Distribution { uniform, log_uniform, normal, truncated_normal };

/// The prior of one parameter. Bounds or mean and sd are 0 if the distribution has none.
struct PriorSetting {
    std::string name;  ///< background.q, stream1.mu ...
    Distribution distribution = Distribution::uniform;
    double lower = 0, upper = 0;
    double mean = 0, sd = 0;
    std::string place = {};  ///< "PATH:LINE"; empty if not from a file
};

/// The name of a distribution in a file: uniform, log-uniform, normal or truncated-normal.
std::string name_of(Distribution distribution);

/// The priors of a TOML parameter file, or none. A MilkyWay@Home text file has none. Throws Error
/// for an unknown distribution or key, for a missing one, and for numbers that are no distribution.
std::vector<PriorSetting> parse_priors(const TextSource& source);

}  // namespace tessera::io
