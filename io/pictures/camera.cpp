#include "io/pictures/camera.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/cross.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "io/scenes/atoms_and_bonds.hpp"

namespace tessera::io {

namespace {

Vec3 unit(Vec3 v) { return 1 / norm(v) * v; }

Matrix3 with_rows(Vec3 a, Vec3 b, Vec3 c) {
    return {{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
}

Vec3 row_of(const Matrix3& m, std::size_t i) { return {m[i][0], m[i][1], m[i][2]}; }

/// Rotates the plane of axes p and q so that the symmetric matrix has no element there (Golub & Van
/// Loan 2013, section 8.5), and the rows of `axes` with it.
void jacobi_rotation(Matrix3& a, Matrix3& axes, std::size_t p, std::size_t q) {
    if (a[p][q] == 0) return;
    const double tau = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = std::copysign(1 / (std::abs(tau) + std::hypot(1, tau)), tau);
    const double c = 1 / std::hypot(1, t), s = t * c;
    for (std::size_t k = 0; k < 3; ++k) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        const double u = axes[p][k], v = axes[q][k];
        axes[p][k] = c * u - s * v;
        axes[q][k] = s * u + c * v;
    }
}

/// The axis or its opposite: that along which the points have a long tail, else that with a
/// positive largest component.
Vec3 directed(Vec3 axis, const std::vector<Vec3>& points) {
    double tail = 0, extent = 0;
    for (const Vec3& point : points) {
        const double along = dot(axis, point);
        tail += along * along * along;
        extent += std::abs(along * along * along);
    }
    const double most = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)}) - 1e-9;
    const double largest = std::abs(axis.x) >= most   ? axis.x
                           : std::abs(axis.y) >= most ? axis.y
                                                      : axis.z;
    const bool turns = std::abs(tail) > 1e-6 * extent ? tail < 0 : largest < 0;
    return turns ? -1.0 * axis : axis;
}

}  // namespace

Matrix3 principal_axes(const std::vector<Nucleus>& nuclei) {
    std::vector<Vec3> points;
    points.reserve(nuclei.size());
    Vec3 sum;
    for (const Nucleus& nucleus : nuclei) sum = sum + nucleus.position;
    for (const Nucleus& nucleus : nuclei)
        points.push_back(nucleus.position - 1.0 / static_cast<double>(nuclei.size()) * sum);
    Matrix3 spread{}, axes = with_rows({1, 0, 0}, {0, 1, 0}, {0, 0, 1});
    for (const Vec3& p : points) {
        const std::array<double, 3> x{p.x, p.y, p.z};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) spread[i][j] += x[i] * x[j];
    }
    for (int sweep = 0; sweep < 12; ++sweep)
        for (const auto& [p, q] : {std::array<std::size_t, 2>{0, 1}, {0, 2}, {1, 2}})
            jacobi_rotation(spread, axes, p, q);
    std::array<std::size_t, 3> order{0, 1, 2};
    const double noise = 1e-9 * (spread[0][0] + spread[1][1] + spread[2][2]);
    for (const std::size_t i : {0, 1, 0})  // equal extents keep the order of the file's axes
        if (spread[order[i + 1]][order[i + 1]] > spread[order[i]][order[i]] + noise)
            std::swap(order[i], order[i + 1]);
    const Vec3 first = directed(row_of(axes, order[0]), points);
    const Vec3 second = directed(row_of(axes, order[1]), points);
    return with_rows(first, second, cross(first, second));
}

Matrix3 camera_axes(const ViewPoint& view, const std::vector<Nucleus>& nuclei) {
    const Vec3 from = unit(view.from);
    Vec3 up = view.up;
    if (norm(cross(up, from)) < 1e-3 * norm(up)) up = {up.y, up.z, up.x};
    const Vec3 right = unit(cross(up, from));
    const Matrix3 turn = with_rows(right, cross(from, right), from);
    if (!view.of_molecule) return turn;
    const Matrix3 axes = principal_axes(nuclei);
    Matrix3 both{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) both[i][j] += turn[i][k] * axes[k][j];
    return both;
}

void PictureBox::add(Vec3 center, double radius) {
    const Vec3 reach{radius, radius, radius};
    const Vec3 below = center - reach, above = center + reach;
    low = empty
              ? below
              : Vec3{std::min(low.x, below.x), std::min(low.y, below.y), std::min(low.z, below.z)};
    high = empty ? above
                 : Vec3{std::max(high.x, above.x), std::max(high.y, above.y),
                        std::max(high.z, above.z)};
    empty = false;
}

void add_to_box(PictureBox& box, const Matrix3& axes, const std::vector<Nucleus>& nuclei,
                const Mesh& surface) {
    for (const Nucleus& nucleus : nuclei)
        if (nucleus.charge > 0)
            box.add(axes * nucleus.position,
                    drawn_atom_radius(nucleus.charge) / units::bohr_in_angstrom);
    for (const auto& v : surface.vertices) box.add(axes * Vec3{v[0], v[1], v[2]}, 0);
}

Camera camera_for(const Matrix3& axes, const PictureBox& box, double width, double height) {
    constexpr double shown = 0.92;     // of the picture; the rest is margin
    constexpr double smallest = 1e-3;  // bohr; for a box without extent
    if (box.empty) return {axes, {}, 1, width / 2, height / 2};
    const Vec3 extent = box.high - box.low, center = 0.5 * (box.low + box.high);
    const double scale = std::min(shown * width / std::max(extent.x, smallest),
                                  shown * height / std::max(extent.y, smallest));
    if (!std::isfinite(norm(extent)) || !std::isfinite(norm(center)))
        throw Error("cannot draw a picture", "the coordinates are too large to be seen",
                    "check that Tessera wrote the file");
    return {axes, center, scale, width / 2, height / 2};
}

}  // namespace tessera::io
