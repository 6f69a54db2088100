// A picture in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::io {

/// Red, green, blue and opacity, as on a screen (sRGB). The colours are not multiplied by the
/// opacity.
using Pixel = std::array<std::uint8_t, 4>;

struct Picture {
    int width = 0, height = 0;
    std::vector<Pixel> pixels;  ///< row by row from the top

    Pixel& at(int x, int y) {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
};

}  // namespace tessera::io
