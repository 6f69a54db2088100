// Numbers with a fixed count of decimals.
#pragma once

#include <string>

namespace tessera::io {

/// Appends `value` with `decimals` digits behind the point, as "%.*f" of printf gives it: correctly
/// rounded, and "-0.00" for what rounds to zero from below. Coordinates take few steps.
void append_fixed(std::string& text, double value, int decimals);

/// Appends a whole number.
void append_whole(std::string& text, long value);

}  // namespace tessera::io
