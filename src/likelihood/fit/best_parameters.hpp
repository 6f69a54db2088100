// The best model of a fit as a parameter file.
#pragma once

#include <string>

#include "io/hdf5/h5.hpp"

namespace tessera::likelihood {

/// The command that evaluates `parameters`, a file of best_parameters(), with the stars and the
/// accuracy of the fit. It gives the likelihood of the fit to the last bit on the same device.
std::string likelihood_command(const io::h5::Group& root, const std::string& parameters);

/// The model that the fit `root` found, as TOML with all digits of every number. A table [fit]
/// keeps the free parameters and their bounds. Throws Error if the result is damaged.
std::string best_parameters(const io::h5::Group& root);

}  // namespace tessera::likelihood
