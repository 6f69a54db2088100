#include "io/pictures/color.hpp"

#include <cmath>

#include "io/fields/mesh_writer.hpp"

namespace tessera::io {

namespace {

constexpr Color white{1, 1, 1};

float facing(Normal normal, Normal to) {
    return std::max(0.0f, normal.x * to.x + normal.y * to.y + normal.z * to.z);
}

Color clamped(Color c) {
    return {std::min(c.red, 1.0f), std::min(c.green, 1.0f), std::min(c.blue, 1.0f)};
}

}  // namespace

Color color_of(const std::array<int, 3>& color) {
    return 1 / 255.0f *
           Color{static_cast<float>(color[0]), static_cast<float>(color[1]),
                 static_cast<float>(color[2])};
}

Color diverging_color(float value) {
    const Color end = color_of(value < 0 ? negative_color : positive_color);
    const float share = std::min(std::abs(value), 1.0f);
    return (1 - share) * white + share * end;
}

Color lit(Color color, Normal normal, Finish finish) {
    // Unit vectors to the lamps, and halfway between the first one and the viewer.
    constexpr Normal lamp{-0.42399f, 0.56533f, 0.70755f}, fill{0.75258f, 0.10751f, 0.64967f};
    constexpr Normal halfway{-0.22944f, 0.30592f, 0.92399f};
    const float diffuse =
        0.55f + 0.06f * normal.y + 0.42f * facing(normal, lamp) + 0.14f * facing(normal, fill);
    const float edge = 0.82f + 0.18f * normal.z;  // outlines are darker
    float reflected = facing(normal, halfway);
    for (int i = 0; i < 5; ++i) reflected *= reflected;  // to the power of 32
    const float light = 1 + finish.shadow * (diffuse * edge - 1);
    return clamped(light * color + finish.gloss * reflected * white);
}

}  // namespace tessera::io
