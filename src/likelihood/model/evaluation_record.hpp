// An evaluation as a list of plain numbers, to travel between ranks.
#pragma once

#include <vector>

#include "likelihood/model/evaluation.hpp"

namespace tessera::likelihood {

std::vector<double> pack(const Evaluation& evaluation);
/// Of what pack() gave; Error where the list does not fit together.
Evaluation unpack(const std::vector<double>& numbers);

}  // namespace tessera::likelihood
