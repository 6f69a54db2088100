#include "io/pictures/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/pictures/rasterizer.hpp"

namespace tessera::io {

namespace {

constexpr int band_height = 8;  // pixels; a thread draws a band after the other

/// The numbers of the shapes that each band shows, in their order.
using Bands = std::vector<std::vector<std::uint32_t>>;

template <class Shapes, class Rows>
Bands sorted_into_bands(const Shapes& shapes, std::size_t bands, Rows&& rows) {
    Bands sorted(bands);
    constexpr double height = band_height * samples_of_side;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const RowRange range = rows(shapes[i]);
        const double last_band = static_cast<double>(bands) - 1;
        if (range.last < 0 || range.first >= height * (last_band + 1)) continue;
        const auto band = [&](double row) {
            return static_cast<std::size_t>(std::clamp(std::floor(row / height), 0.0, last_band));
        };
        for (std::size_t b = band(range.first); b <= band(range.last); ++b)
            sorted[b].push_back(static_cast<std::uint32_t>(i));
    }
    return sorted;
}

std::uint8_t byte_of(float value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(255 * value, 0.0f, 255.0f)));
}

Pixel mean_of(const SampleRows& rows, int x, int y, bool transparent) {
    Seen sum;
    for (int j = 0; j < samples_of_side; ++j)
        for (int i = 0; i < samples_of_side; ++i) {
            const Seen one = rows.seen(samples_of_side * x + i, samples_of_side * y + j);
            sum.color = sum.color + one.color;
            sum.opacity += one.opacity;
        }
    constexpr float share = 1.0f / (samples_of_side * samples_of_side);
    const float opacity = std::min(share * sum.opacity, 1.0f);
    Color color = share * sum.color;
    if (transparent)
        color = opacity > 0 ? 1 / opacity * color : color;
    else
        color = color + (1 - opacity) * Color{1, 1, 1};
    return {byte_of(color.red), byte_of(color.green), byte_of(color.blue),
            transparent ? byte_of(opacity) : std::uint8_t{255}};
}

}  // namespace

Picture render(const Drawing& drawing, int width, int height, bool transparent) {
    Picture picture{width, height, {}};
    picture.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const int bands = (height + band_height - 1) / band_height;
    const auto count = static_cast<std::size_t>(bands);
    const auto rows_of_shape = [](const auto& shape) { return rows_of(shape); };
    const Bands balls = sorted_into_bands(drawing.balls, count, rows_of_shape);
    const Bands rods = sorted_into_bands(drawing.rods, count, rows_of_shape);
    const Bands faces = sorted_into_bands(
        drawing.faces, count, [&](const Drawing::Face& face) { return rows_of(drawing, face); });
#pragma omp parallel for schedule(dynamic)
    for (int band = 0; band < bands; ++band) {
        const int first = band * band_height, last = std::min(height, first + band_height);
        const auto b = static_cast<std::size_t>(band);
        SampleRows rows(samples_of_side * width, samples_of_side * first, samples_of_side * last);
        for (const std::uint32_t i : balls[b]) paint(rows, drawing.balls[i]);
        for (const std::uint32_t i : rods[b]) paint(rows, drawing.rods[i]);
        for (const std::uint32_t i : faces[b]) paint(rows, drawing, drawing.faces[i]);
        for (int y = first; y < last; ++y)
            for (int x = 0; x < width; ++x) picture.at(x, y) = mean_of(rows, x, y, transparent);
    }
    return picture;
}

}  // namespace tessera::io
