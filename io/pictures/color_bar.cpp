#include "io/pictures/color_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "io/pictures/color.hpp"
#include "io/pictures/stroke_numbers.hpp"

namespace tessera::io {

namespace {

constexpr Color ink{0.1f, 0.1f, 0.1f};

/// The least number of two digits from `value` on.
double rounded_up(double value) {
    if (!(value > 0)) return 1;
    value = std::clamp(value, 1e-250, 1e250);  // so that no number here leaves its type
    const int last_digit = static_cast<int>(std::floor(std::log10(value))) - 1;
    const double unit = std::pow(10.0, std::abs(last_digit));
    return last_digit < 0 ? std::ceil(value * unit - 1e-9) / unit
                          : std::ceil(value / unit - 1e-9) * unit;
}

Pixel pixel_of(Color color) {
    const auto byte = [](float part) { return static_cast<std::uint8_t>(std::lround(255 * part)); };
    return {byte(color.red), byte(color.green), byte(color.blue), 255};
}

}  // namespace

ColorRange color_range(double least, double most) {
    const double high = rounded_up(std::max(std::abs(least), std::abs(most)));
    return {least < 0 ? -high : 0, high};
}

void draw_color_bar(Picture& picture, const ColorRange& range) {
    const int width = picture.width, height = picture.height;
    const int left = width - static_cast<int>(width_of_bar * width) + width / 60;
    const int right = left + std::max(2, width / 50);
    const int top = height / 4, bottom = height - height / 4;
    const int frame = std::max(1, height / 800);
    for (int y = top - frame; y < bottom + frame; ++y) {
        const double up = (bottom - y - 0.5) / (bottom - top);
        const double value = range.low + up * (range.high - range.low);
        const Pixel inside = pixel_of(diverging_color(static_cast<float>(value / range.high)));
        for (int x = left - frame; x < right + frame; ++x) {
            const bool edge = y < top || y >= bottom || x < left || x >= right;
            picture.at(x, y) = edge ? pixel_of(ink) : inside;
        }
    }
    std::array<std::string, 3> numbers;  // from the lower end on
    double widest = 0;                   // in heights
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = range.low + static_cast<double>(i) / 2 * (range.high - range.low);
        numbers[i] = fmt::format("{:.4g}", value);
        widest = std::max(widest, width_of_number(numbers[i], 1));
    }
    const double room = 0.97 * width - right;
    const double text = std::min({height / 36.0, width / 48.0, room / (widest + 1)});
    for (std::size_t i = 0; i < 3; ++i)
        write_number(picture, numbers[i], right + text,
                     bottom - static_cast<double>(i) / 2 * (bottom - top), text, ink);
}

}  // namespace tessera::io
