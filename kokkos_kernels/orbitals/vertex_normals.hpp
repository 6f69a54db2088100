// Normals of a surface's vertices, from the analytic gradient.
#pragma once

#include "kokkos_kernels/orbitals/axis_tables.hpp"

namespace tessera::kernels {

/// Unit vectors along which |psi| falls, from the analytic gradient of the groups in the list of
/// the vertex's box.
template <class Real, class Shape>
struct VertexNormals {
    TileFrame frame;
    const DeviceGroup* groups;
    const Real* coefficients;  ///< coefficients of the orbital
    const int *lists, *lengths;
    int group_count, first_box, box_count;
    std::int64_t positive;  ///< vertices of the positive lobe, which come first
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
        const double sign = vertex < positive ? 1.0 : -1.0;
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
        constexpr Real unseen = 60;  // 2^-60 is invisible in normals of single precision
        if (rate * square > unseen) return;
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
