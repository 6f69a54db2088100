// Colours of pictures, and the light on them.
#pragma once

#include <algorithm>
#include <array>

namespace tessera::io {

/// Red, green and blue from 0 to 1, as on a screen (sRGB).
struct Color {
    float red = 0, green = 0, blue = 0;

    friend Color operator+(Color a, Color b) {
        return {a.red + b.red, a.green + b.green, a.blue + b.blue};
    }
    friend Color operator*(float s, Color a) { return {s * a.red, s * a.green, s * a.blue}; }
};

/// From numbers up to 255.
Color color_of(const std::array<int, 3>& color);

/// The colour of a value from -1 to 1: that of the negative lobes, white, that of the positive
/// lobes.
Color diverging_color(float value);

/// A unit normal along the camera's axes: to the right, up, and towards the viewer.
struct Normal {
    float x = 0, y = 0, z = 1;
};

/// How much of the lamp a surface reflects, and how dark its shadows are.
struct Finish {
    float gloss = 0.3f, shadow = 1;
};
/// Colours that stand for values must stay readable.
inline constexpr Finish finish_of_values{0.05f, 0.4f};

/// What a viewer sees of a surface that faces him: soft light from all sides, a lamp at the upper
/// left, a weaker one at the right, and the lamp's reflection.
Color lit(Color color, Normal normal, Finish finish = {});

}  // namespace tessera::io
