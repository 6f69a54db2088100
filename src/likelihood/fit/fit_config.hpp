// A fit as a configuration file of the command.
#pragma once

#include <string>

#include "likelihood/fit/fit_choices.hpp"
#include "likelihood/model/input.hpp"

namespace tessera::likelihood {

/// All options of `tessera fit` that decide the result, as a configuration file.
std::string config_of(const LikelihoodInput& input, const FitChoices& choices);

}  // namespace tessera::likelihood
