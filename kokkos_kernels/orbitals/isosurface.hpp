// Marching cubes over values in device memory: count, scan, fill.
#pragma once

#include "kokkos_kernels/orbitals/axis_tables.hpp"
#include "kokkos_kernels/orbitals/marching_cubes_table.hpp"

namespace tessera::kernels {

/// Values [z][y][x] of a grid block; inside is where psi, signed as the level is, exceeds it.
template <class Real>
struct LevelGrid {
    const Real* values;
    std::int64_t nx, ny, nz;
    Real level;

    KOKKOS_FUNCTION std::int64_t points() const { return nx * ny * nz; }
    KOKKOS_FUNCTION bool inside(std::int64_t at) const {
        return level < 0 ? values[at] < level : values[at] > level;
    }
    KOKKOS_FUNCTION std::int64_t stride(int axis) const {
        return axis == 0 ? 1 : axis == 1 ? nx : nx * ny;
    }
    KOKKOS_FUNCTION void position(std::int64_t at, std::int64_t (&p)[3]) const {
        p[0] = at % nx, p[1] = at / nx % ny, p[2] = at / (nx * ny);
    }

    /// Bit a: the surface cuts the edge from the point along axis a. Nearly all points have none; only
    /// the others pay for their position.
    KOKKOS_FUNCTION int cut_edges(std::int64_t at) const {
        const bool here = inside(at);
        int cut = 0;
        for (int a = 0; a < 3; ++a)
            cut |= (at + stride(a) < points() && inside(at + stride(a)) != here) << a;
        if (cut == 0) return 0;
        std::int64_t p[3];
        position(at, p);
        return cut & ((p[0] + 1 < nx) | (p[1] + 1 < ny) << 1 | (p[2] + 1 < nz) << 2);
    }

    /// Case of the cube that starts at the point; 0 at the block's far faces.
    KOKKOS_FUNCTION int cube_case(std::int64_t at) const {
        if (at + 1 + nx + nx * ny >= points()) return 0;
        int bits = 0;
        for (int corner = 0; corner < 8; ++corner)
            bits |= inside(at + (corner & 1) + (corner >> 1 & 1) * nx + (corner >> 2) * nx * ny)
                    << corner;
        if (bits == 0 || bits == 255) return 0;
        std::int64_t p[3];
        position(at, p);
        return p[0] + 1 < nx && p[1] + 1 < ny ? bits : 0;
    }
};

KOKKOS_INLINE_FUNCTION int bits_of_three(int bits) {
    return (bits & 1) + (bits >> 1 & 1) + (bits >> 2);
}

/// A vertex belongs to the point that its edge starts from: that welds it. first_vertex[point] is the
/// number of vertices before the point's own.
template <class Device, class Real>
std::uint32_t number_vertices(const typename Device::execution_space& space,
                              const LevelGrid<Real>& grid, std::uint32_t* first_vertex) {
    std::uint32_t total = 0;
    Kokkos::parallel_scan(
        "tessera::orbitals::number_vertices",
        Kokkos::RangePolicy<typename Device::execution_space, Kokkos::IndexType<std::int64_t>>(
            space, 0, grid.points()),
        KOKKOS_LAMBDA(std::int64_t at, std::uint32_t & sum, bool final) {
            if (final) first_vertex[at] = sum;
            sum += static_cast<std::uint32_t>(bits_of_three(grid.cut_edges(at)));
        },
        total);
    return total;
}

/// vertices[v] (bohr) by linear interpolation, and the point each belongs to.
template <class Device, class Real>
void place_vertices(const typename Device::execution_space& space, const LevelGrid<Real>& grid,
                    const TileFrame& frame, const std::uint32_t* first_vertex, float* vertices,
                    std::int64_t* owners) {
    Kokkos::parallel_for(
        "tessera::orbitals::place_vertices",
        Kokkos::RangePolicy<typename Device::execution_space, Kokkos::IndexType<std::int64_t>>(
            space, 0, grid.points()),
        KOKKOS_LAMBDA(std::int64_t at) {
            const int cut = grid.cut_edges(at);
            if (cut == 0) return;
            std::int64_t p[3];
            grid.position(at, p);
            std::uint32_t vertex = first_vertex[at];
            for (int axis = 0; axis < 3; ++axis) {
                if (!(cut >> axis & 1)) continue;
                const double here = grid.values[at], there = grid.values[at + grid.stride(axis)];
                const double part = (grid.level - here) / (there - here);
                for (int a = 0; a < 3; ++a)
                    vertices[3 * std::size_t{vertex} + a] =
                        static_cast<float>(frame.coordinate(a, frame.begin[a] + p[a]) +
                                           (a == axis ? part * frame.spacing[a] : 0.0));
                owners[vertex++] = at;
            }
        });
}

/// triangles[t]: anticlockwise seen from outside; returns their number (null: counts only).
template <class Device, class Real>
std::uint32_t fill_triangles(const typename Device::execution_space& space,
                             const LevelGrid<Real>& grid, const MarchingCubesTable* table,
                             const std::uint32_t* first_vertex, std::uint32_t* triangles) {
    std::uint32_t total = 0;
    Kokkos::parallel_scan(
        "tessera::orbitals::fill_triangles",
        Kokkos::RangePolicy<typename Device::execution_space, Kokkos::IndexType<std::int64_t>>(
            space, 0, grid.points()),
        KOKKOS_LAMBDA(std::int64_t at, std::uint32_t & sum, bool final) {
            const int bits = grid.cube_case(at);
            const int count = table->count[bits];
            if (final && triangles != nullptr)
                for (int i = 0; i < 3 * count; ++i) {
                    const int edge = table->edges[bits][i];
                    const int corner = MarchingCubesTable::edge_corner(edge), axis = edge / 4;
                    const std::int64_t owner = at + (corner & 1) + (corner >> 1 & 1) * grid.nx +
                                               (corner >> 2) * grid.nx * grid.ny;
                    triangles[3 * std::size_t{sum} + i] =
                        first_vertex[owner] + static_cast<std::uint32_t>(bits_of_three(
                                                  grid.cut_edges(owner) & ((1 << axis) - 1)));
                }
            sum += static_cast<std::uint32_t>(count);
        },
        total);
    return total;
}

/// Unit vectors along which |psi| falls, from the analytic gradient of the groups that the vertex's
/// box lists.
template <class Real, class Shape>
struct VertexNormals {
    TileFrame frame;
    const DeviceGroup* groups;
    const Real* coefficients;  ///< of the orbital
    const int *lists, *lengths;
    int group_count, first_box, box_count;
    double sign;  ///< of the level
    std::int64_t nx, ny;
    const std::int64_t* owners;
    const float* vertices;
    float* normals;

    KOKKOS_FUNCTION void operator()(std::int64_t vertex) const {
        const int box = box_of(owners[vertex]) - first_box;
        if (box < 0 || box >= box_count) return;
        double gradient[3] = {};
        const int* list = lists + std::int64_t{box} * group_count;
        for (int i = 0; i < lengths[box]; ++i) add(groups[list[i]], vertex, gradient);
        const double length = Kokkos::sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1] +
                                           gradient[2] * gradient[2]);
        for (int a = 0; a < 3; ++a)
            normals[3 * vertex + a] = static_cast<float>(length > 0 ? -sign * gradient[a] / length
                                                                    : (a == 2 ? 1.0 : 0.0));
    }

  private:
    KOKKOS_FUNCTION int box_of(std::int64_t owner) const {
        const std::int64_t x = frame.begin[0] + owner % nx, y = frame.begin[1] + owner / nx % ny,
                           z = frame.begin[2] + owner / (nx * ny);
        const int bx = static_cast<int>(x / (Shape::box * Shape::x)) - frame.first_box[0],
                  by = static_cast<int>(y / (Shape::box * Shape::y)) - frame.first_box[1],
                  bz = static_cast<int>(z / (Shape::box * Shape::z)) - frame.first_box[2];
        return (bz * frame.boxes[1] + by) * frame.boxes[0] + bx;
    }

    KOKKOS_FUNCTION void add(const DeviceGroup& group, std::int64_t vertex,
                             double (&gradient)[3]) const {
        Real d[3];
        for (int a = 0; a < 3; ++a)
            d[a] = static_cast<Real>(vertices[3 * vertex + a] - group.center[a]);
        const Real square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const Real rate = static_cast<Real>(group.rate);
        const Real exponential = exp2_minus(rate * square);
        const Real* c = coefficients + group.first;
        with_degree(group.degree, [&](auto degree) {
            constexpr int l = decltype(degree)::value;
            Real slope[3], value = polynomial<l>(c, d, slope);
            for (int a = 0; a < 3; ++a)
                gradient[a] +=
                    exponential * (slope[a] - rate * Real(1.3862943611198906) * d[a] * value);
        });
    }

    /// The polynomial and its derivatives.
    template <int L>
    KOKKOS_FUNCTION static Real polynomial(const Real* c, const Real (&d)[3], Real (&slope)[3]) {
        Real power[3][L + 1];
        for (int a = 0; a < 3; ++a) {
            power[a][0] = 1;
            for (int k = 1; k <= L; ++k) power[a][k] = power[a][k - 1] * d[a];
        }
        Real value = 0;
        slope[0] = slope[1] = slope[2] = 0;
        TESSERA_UNROLL_ALL
        for (int i = 0; i <= L; ++i) TESSERA_UNROLL_ALL
        for (int j = 0; i + j <= L; ++j) TESSERA_UNROLL_ALL
        for (int k = 0; i + j + k <= L; ++k) {
            const Real m = c[monomial_index(i, j, k)];
            value += m * power[0][i] * power[1][j] * power[2][k];
            if (i > 0) slope[0] += m * i * power[0][i - 1] * power[1][j] * power[2][k];
            if (j > 0) slope[1] += m * j * power[0][i] * power[1][j - 1] * power[2][k];
            if (k > 0) slope[2] += m * k * power[0][i] * power[1][j] * power[2][k - 1];
        }
        return value;
    }
};

}  // namespace tessera::kernels
