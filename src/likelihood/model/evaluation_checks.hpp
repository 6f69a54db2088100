// Checks that an evaluation is finite, and that its integrals have not lost their digits in the
// cuts.
#pragma once

#include <string>
#include <vector>

#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// "the background", "stream 1".
std::string component_name(std::size_t component);

/// Throws Error (exit code 3) if a stream is too narrow to have an integral.
void require_streams(const StreamModel& model, const std::string& wedge);

/// Throws Error (exit code 3) that names a component whose integral or likelihood is not finite
/// (the MilkyWay@Home application prints -999 in this case). It also does so if an integral is not
/// positive, or so small after the cuts that only rounding error is left, except for a stream that
/// has weight 0. `wedge` is the name of the parameter file.
void require_finite(const Evaluation& evaluation, const std::string& wedge);

/// Returns one line for each component whose integral falls below a thousandth by the cuts. It
/// loses three digits, and its likelihood may be too large.
std::vector<std::string> cut_warnings(const Evaluation& evaluation, const std::string& wedge);

/// Returns one line for each stream that has weight 0 because it has no integral.
std::vector<std::string> empty_stream_warnings(const Evaluation& evaluation,
                                               const std::string& wedge);

/// Returns one line for each cut that reaches beyond the wedge, because the part outside is
/// subtracted too. Returns one line for each cut that overlaps an earlier one, because their common
/// part is subtracted twice.
std::vector<std::string> area_warnings(const StreamModel& model, const std::string& wedge);

}  // namespace tessera::likelihood
