// The best models of a fit as parameter files.
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"

namespace tessera::likelihood {

/// The command that evaluates `parameters`, files of best_parameters(), with the stars and the
/// accuracy of the fit. It gives the likelihood of the fit to the last bit on the same device.
std::string likelihood_command(const io::h5::Group& root,
                               const std::vector<std::string>& parameters);

/// The model of each wedge that the fit `root` found, as TOML with all digits of every number. A
/// table [fit] keeps the free parameters and their bounds. Throws Error if the result is damaged.
std::vector<std::string> best_parameters(const io::h5::Group& root);

}  // namespace tessera::likelihood
