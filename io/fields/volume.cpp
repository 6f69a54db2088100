#include "io/fields/volume.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tessera::io {

namespace {

/// How many of `layers` layers are read at once.
std::int64_t layers_at_once(std::int64_t layers, std::int64_t values_of_layer) {
    constexpr std::int64_t most_values = std::int64_t{1} << 26;
    return std::clamp<std::int64_t>(most_values / values_of_layer, 1, layers);
}

}  // namespace

void for_each_row(const Volume& volume,
                  const std::function<void(const std::vector<double>& values)>& row) {
    const auto [nx, ny, nz] = volume.grid.shape;
    const std::int64_t step = layers_at_once(nx, ny * nz);
    std::vector<double> line(static_cast<std::size_t>(nz));
    for (std::int64_t first = 0; first < nx; first += step) {
        const std::int64_t count = std::min(step, nx - first);
        const std::vector<double> values = volume.read({first, 0, 0}, {count, ny, nz});
        for (std::int64_t x = 0; x < count; ++x)
            for (std::int64_t y = 0; y < ny; ++y) {
                for (std::int64_t z = 0; z < nz; ++z)
                    line[static_cast<std::size_t>(z)] =
                        values[static_cast<std::size_t>((z * ny + y) * count + x)];
                row(line);
            }
    }
}

void for_each_planes(
    const Volume& volume,
    const std::function<void(std::int64_t first, const std::vector<double>& values)>& planes) {
    const auto [nx, ny, nz] = volume.grid.shape;
    const std::int64_t step = layers_at_once(nz, nx * ny);
    for (std::int64_t first = 0; first < nz; first += step)
        planes(first, volume.read({0, 0, first}, {nx, ny, std::min(step, nz - first)}));
}

void append_scientific(std::string& text, double value) {
    char digits[32];
    // Fortran readers do not accept a three-digit exponent without its letter. Values that small
    // become 0.
    if (std::abs(value) < 1e-99) value = 0;
    char* end =
        std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::scientific, 5).ptr;
    std::replace(digits, end, 'e', 'E');
    const auto length = static_cast<std::size_t>(end - digits);
    if (length < 13) text.append(13 - length, ' ');
    text.append(digits, length);
}

}  // namespace tessera::io
