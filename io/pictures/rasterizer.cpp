#include "io/pictures/rasterizer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace tessera::io {

namespace {

constexpr std::int64_t steps = 256;  // of corners, for each sample: edges are exact in integers
constexpr double rounding = 1.0 / steps;  // of a corner, at most

/// Calls `at(x, y)` for the samples whose centres lie in a box.
template <class At>
void for_each_sample(const SampleRows& rows, double left, double right, RowRange range, At&& at) {
    const auto from = [](double edge, int least, int most) {
        return static_cast<int>(std::clamp(std::ceil(edge - 0.5), double(least), double(most)));
    };
    const int x0 = from(left, 0, rows.width()), x1 = from(right, 0, rows.width());
    const int y0 = from(range.first, rows.first(), rows.last());
    const int y1 = from(range.last, rows.first(), rows.last());
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) at(x, y);
}

void add_lit(SampleRows& rows, int x, int y, double depth, Color color, Vec3 normal) {
    const auto z = static_cast<float>(depth);
    if (rows.hides(x, y, z)) return;
    rows.add_solid(x, y, z,
                   lit(color, {static_cast<float>(normal.x), static_cast<float>(-normal.y),
                               static_cast<float>(normal.z)}));
}

}  // namespace

RowRange rows_of(const Drawing::Ball& ball) {
    return {ball.center.y - ball.radius, ball.center.y + ball.radius};
}

RowRange rows_of(const Drawing::Rod& rod) {
    return {std::min(rod.from.y, rod.to.y) - rod.radius,
            std::max(rod.from.y, rod.to.y) + rod.radius};
}

RowRange rows_of(const Drawing& drawing, const Drawing::Face& face) {
    const auto y = [&](std::size_t i) { return drawing.corners[face.corners[i]].place.y; };
    return {std::min({y(0), y(1), y(2)}) - rounding, std::max({y(0), y(1), y(2)}) + rounding};
}

void paint(SampleRows& rows, const Drawing::Ball& ball) {
    const double r = ball.radius;
    for_each_sample(rows, ball.center.x - r, ball.center.x + r, rows_of(ball), [&](int x, int y) {
        const double dx = x + 0.5 - ball.center.x, dy = y + 0.5 - ball.center.y;
        const double square = r * r - dx * dx - dy * dy;
        if (square < 0) return;
        const double dz = std::sqrt(square);
        add_lit(rows, x, y, ball.center.z + dz, ball.color, 1 / r * Vec3{dx, dy, dz});
    });
}

void paint(SampleRows& rows, const Drawing::Rod& rod) {
    const Vec3 way = rod.to - rod.from;
    const double length = norm(way), r = rod.radius;
    const Vec3 along = 1 / length * way;
    const double a = 1 - along.z * along.z;
    if (!(a > 1e-9)) return;  // it points to the viewer, and its ball hides it
    const double left = std::min(rod.from.x, rod.to.x) - r;
    const double right = std::max(rod.from.x, rod.to.x) + r;
    for_each_sample(rows, left, right, rows_of(rod), [&](int x, int y) {
        // The line of sight w = (dx, dy, t) has the distance r from the axis where
        // a t^2 - 2 along.z f t + dx^2 + dy^2 - f^2 = r^2, with f the part of (dx, dy) along it.
        const double dx = x + 0.5 - rod.from.x, dy = y + 0.5 - rod.from.y;
        const double f = dx * along.x + dy * along.y, b = along.z * f;
        const double square = b * b - a * (dx * dx + dy * dy - f * f - r * r);
        if (square < 0) return;
        const double t = (b + std::sqrt(square)) / a, height = f + along.z * t;
        if (height < 0 || height > length) return;
        const Vec3 normal = 1 / r * (Vec3{dx, dy, t} - height * along);
        add_lit(rows, x, y, rod.from.z + t, rod.color, normal);
    });
}

namespace {

/// The side of an edge on which a sample lies, in squares of steps. The samples on an edge belong
/// to one of the two triangles that share it.
class Edge {
  public:
    struct Point {
        std::int64_t x, y;
    };
    Edge(Point from, Point to)
        : from_(from),
          dx_(to.x - from.x),
          dy_(to.y - from.y),
          owner_(dy_ > 0 || (dy_ == 0 && dx_ > 0)) {}
    std::int64_t side(Point p) const { return dx_ * (p.y - from_.y) - dy_ * (p.x - from_.x); }
    bool inside(std::int64_t side) const { return side > 0 || (side == 0 && owner_); }

  private:
    Point from_;
    std::int64_t dx_, dy_;
    bool owner_;
};

Edge::Point in_steps(Vec3 place) {
    return {std::llround(double(steps) * place.x), std::llround(double(steps) * place.y)};
}

/// The corners of a face, weighted by how near a sample is to each.
struct Mixed {
    float depth, value;
    Normal normal;
};

Mixed mix(const std::array<const Drawing::Corner*, 3>& corners, const std::array<float, 3>& w) {
    Mixed m{0, 0, {0, 0, 0}};
    for (std::size_t i = 0; i < 3; ++i) {
        const Drawing::Corner& c = *corners[i];
        m.depth += w[i] * static_cast<float>(c.place.z);
        m.value += w[i] * c.value;
        m.normal = {m.normal.x + w[i] * c.normal.x, m.normal.y + w[i] * c.normal.y,
                    m.normal.z + w[i] * c.normal.z};
    }
    return m;
}

/// The normal towards the viewer, of length 1. `back`: the face turns its inner side to him.
Normal towards_viewer(Normal n, bool back) {
    const float sign = back ? -1.0f : 1.0f, z = std::max(sign * n.z, 0.0f);
    const float length = std::sqrt(n.x * n.x + n.y * n.y + z * z);
    if (!(length > 0)) return {};
    return {sign * n.x / length, sign * n.y / length, z / length};
}

}  // namespace

void paint(SampleRows& rows, const Drawing& drawing, const Drawing::Face& face) {
    std::array<const Drawing::Corner*, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) corners[i] = &drawing.corners[face.corners[i]];
    std::array<Edge::Point, 3> at{};
    const auto place_all = [&] {
        for (std::size_t i = 0; i < 3; ++i) at[i] = in_steps(corners[i]->place);
        return Edge(at[0], at[1]).side(at[2]);
    };
    // Rows go downwards: outer sides, whose corners are counter-clockwise, have a negative area.
    std::int64_t area = place_all();
    const bool back = area > 0;
    if (area == 0) return;
    if (!back) {
        std::swap(corners[1], corners[2]);
        area = place_all();
    }
    const std::array<Edge, 3> edges{Edge(at[1], at[2]), Edge(at[2], at[0]), Edge(at[0], at[1])};
    const auto x = [&](std::size_t i) { return corners[i]->place.x; };
    const Color lobe = color_of(face.positive ? positive_color : negative_color);
    const float whole = 1 / static_cast<float>(area);
    for_each_sample(
        rows, std::min({x(0), x(1), x(2)}) - rounding, std::max({x(0), x(1), x(2)}) + rounding,
        rows_of(drawing, face), [&](int column, int row) {
            const Edge::Point center{steps * column + steps / 2, steps * row + steps / 2};
            std::array<float, 3> weights{};
            for (std::size_t i = 0; i < 3; ++i) {
                const std::int64_t side = edges[i].side(center);
                if (!edges[i].inside(side)) return;
                weights[i] = whole * static_cast<float>(side);
            }
            const Mixed m = mix(corners, weights);
            if (rows.hides(column, row, m.depth)) return;
            const Normal normal = towards_viewer(m.normal, back);
            const Color color = drawing.colored_by_value
                                    ? lit(diverging_color(m.value), normal, finish_of_values)
                                    : lit(lobe, normal);
            if (drawing.skin.solid())
                rows.add_solid(column, row, m.depth, color);
            else
                rows.add_layer(column, row, m.depth, color, drawing.skin.opacity(normal.z));
        });
}

}  // namespace tessera::io
