// An evaluation as a list of numbers, which can be sent between ranks.
#pragma once

#include <vector>

#include "likelihood/model/evaluation.hpp"

namespace tessera::likelihood {

std::vector<double> pack(const Evaluation& evaluation);
/// Restores the result of pack(). Throws Error if the list is too short.
Evaluation unpack(const std::vector<double>& numbers);

}  // namespace tessera::likelihood
