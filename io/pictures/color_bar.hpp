// The scale of colours beside a picture.
#pragma once

#include "io/pictures/picture.hpp"

namespace tessera::io {

/// The values of the darkest colours. `low` is -high, or 0 where the negative half is not needed.
struct ColorRange {
    double low = 0, high = 1;
};

/// The range of values that reach from `least` to `most`, rounded up to two digits.
ColorRange color_range(double least, double most);

/// The part of a picture's width that a bar takes, at the right.
inline constexpr double width_of_bar = 0.17;

/// Draws a bar with the numbers of its ends and its middle.
void draw_color_bar(Picture& picture, const ColorRange& range);

}  // namespace tessera::io
