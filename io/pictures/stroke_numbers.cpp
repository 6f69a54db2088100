#include "io/pictures/stroke_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "core/units.hpp"

namespace tessera::io {

namespace {

/// Digits are 1 high, from y = 0 at the bottom, and 0.6 wide.
struct Point {
    double x, y;
};
using Stroke = std::vector<Point>;
using Strokes = std::vector<Stroke>;

constexpr double digit_width = 0.6, gap = 0.22, pen = 0.055;  // pen: half its width

/// A part of an ellipse; angles in degrees, counter-clockwise from the right.
Stroke arc(Point center, double a, double b, double from, double to) {
    constexpr int pieces = 24;
    Stroke stroke;
    for (int i = 0; i <= pieces; ++i) {
        const double angle = (from + (to - from) * i / pieces) * units::pi / 180;
        stroke.push_back({center.x + a * std::cos(angle), center.y + b * std::sin(angle)});
    }
    return stroke;
}

Stroke joined(Stroke first, const Stroke& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

const Strokes& strokes_of(char c) {
    static const std::map<char, Strokes> all{
        {'0', {arc({0.3, 0.5}, 0.28, 0.5, 0, 360)}},
        {'1', {{{0.08, 0.78}, {0.34, 1}, {0.34, 0}}}},
        {'2', {joined(arc({0.3, 0.72}, 0.27, 0.28, 170, -35), {{0.03, 0}, {0.6, 0}})}},
        {'3', {arc({0.28, 0.76}, 0.25, 0.24, 150, -90), arc({0.28, 0.27}, 0.29, 0.27, 90, -150)}},
        {'4', {{{0.45, 0}, {0.45, 1}, {0.02, 0.3}, {0.6, 0.3}}}},
        {'5',
         {joined({{0.53, 1}, {0.12, 1}, {0.07, 0.55}}, arc({0.28, 0.32}, 0.3, 0.32, 125, -145))}},
        {'6', {arc({0.31, 0.31}, 0.27, 0.31, 0, 360), arc({0.55, 0.36}, 0.51, 0.64, 180, 95)}},
        {'7', {{{0.04, 1}, {0.57, 1}, {0.2, 0}}}},
        {'8', {arc({0.3, 0.76}, 0.23, 0.24, 0, 360), arc({0.3, 0.26}, 0.28, 0.26, 0, 360)}},
        {'9', {arc({0.29, 0.69}, 0.27, 0.31, 0, 360), arc({0.05, 0.64}, 0.51, 0.64, 0, -85)}},
        {'.', {{{0.08, 0.02}, {0.08, 0.02}}}},
        {'-', {{{0.06, 0.45}, {0.54, 0.45}}}},
        {'+', {{{0.06, 0.45}, {0.54, 0.45}}, {{0.3, 0.2}, {0.3, 0.7}}}},
        {'e', {joined({{0.04, 0.36}, {0.54, 0.36}}, arc({0.29, 0.34}, 0.25, 0.34, 0, 320))}}};
    static const Strokes none;
    const auto found = all.find(c);
    return found == all.end() ? none : found->second;
}

double width_of(char c) { return c == '.' ? 0.16 : digit_width; }

double distance_to(Point p, Point from, Point to) {
    const double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    const double along = square > 0 ? ((p.x - from.x) * dx + (p.y - from.y) * dy) / square : 0;
    const double t = std::clamp(along, 0.0, 1.0);
    return std::hypot(p.x - from.x - t * dx, p.y - from.y - t * dy);
}

double distance_to(const Strokes& strokes, Point p) {
    double nearest = 1e9;
    for (const Stroke& stroke : strokes)
        for (std::size_t i = 1; i < stroke.size(); ++i)
            nearest = std::min(nearest, distance_to(p, stroke[i - 1], stroke[i]));
    return nearest;
}

/// Covers a share of a pixel with an opaque colour.
void cover(Pixel& pixel, Color color, double share) {
    const double under = (1 - share) * pixel[3] / 255, opacity = share + under;
    const float parts[] = {color.red, color.green, color.blue};
    for (std::size_t c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(
            std::lround((share * 255 * parts[c] + under * pixel[c]) / opacity));
    pixel[3] = static_cast<std::uint8_t>(std::lround(255 * opacity));
}

void write_character(Picture& picture, const Strokes& strokes, double x, double y, double height,
                     Color color) {
    const int top = std::max(0, static_cast<int>(y - 0.7 * height));
    const int bottom = std::min(picture.height, static_cast<int>(y + 0.7 * height) + 1);
    const int left = std::max(0, static_cast<int>(x - 0.2 * height));
    const int right = std::min(picture.width, static_cast<int>(x + 0.8 * height) + 1);
    for (int row = top; row < bottom; ++row)
        for (int column = left; column < right; ++column) {
            const Point p{(column + 0.5 - x) / height, 0.5 - (row + 0.5 - y) / height};
            const double inside = (pen - distance_to(strokes, p)) * height + 0.5;  // pixels
            if (inside > 0) cover(picture.at(column, row), color, std::min(inside, 1.0));
        }
}

}  // namespace

void write_number(Picture& picture, const std::string& text, double x, double y, double height,
                  Color color) {
    for (const char c : text) {
        write_character(picture, strokes_of(c), x, y, height, color);
        x += (width_of(c) + gap) * height;
    }
}

double width_of_number(const std::string& text, double height) {
    double width = 0;
    for (const char c : text) width += (width_of(c) + gap) * height;
    return width;
}

}  // namespace tessera::io
