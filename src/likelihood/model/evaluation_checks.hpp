// Whether an evaluation is one: finite, and not made of digits that its cuts have eaten.
#pragma once

#include <string>
#include <vector>

#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// "the background", "stream 1".
std::string component_name(std::size_t component);

/// Throws Error (exit code 3) where a stream is too narrow to have an integral.
void require_streams(const StreamModel& model, const std::string& wedge);

/// Throws Error (exit code 3) that names the component whose integral or likelihood is not finite (the
/// MilkyWay@Home application says -999 there), or whose integral is not positive or so small a part
/// of what it was before the cuts that only rounding is left. `wedge`: the name of its parameter file.
void require_finite(const Evaluation& evaluation, const std::string& wedge);

/// One line for every component whose integral, after its cuts, is less than a thousandth of what it
/// was before: three of its digits are lost, and its likelihood may be inflated.
std::vector<std::string> cut_warnings(const Evaluation& evaluation, const std::string& wedge);

/// One line for every cut that is not within the wedge, since what lies outside is subtracted all the
/// same, and for every cut that overlaps one before it, since what they share is subtracted twice.
std::vector<std::string> area_warnings(const StreamModel& model, const std::string& wedge);

}  // namespace tessera::likelihood
