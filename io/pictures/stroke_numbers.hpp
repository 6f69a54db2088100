// Numbers as strokes of a pen.
#pragma once

#include <string>

#include "io/pictures/color.hpp"
#include "io/pictures/picture.hpp"

namespace tessera::io {

/// Writes a number as C prints it (digits, '.', '-', '+', 'e'). Digits are `height` pixels high.
/// (x, y) is the middle of the left edge. Other characters leave a gap.
void write_number(Picture& picture, const std::string& text, double x, double y, double height,
                  Color color);

/// The width of a text in pixels.
double width_of_number(const std::string& text, double height);

}  // namespace tessera::io
