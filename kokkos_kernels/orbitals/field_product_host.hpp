// The products of an orbital for derived fields on a host, and what they add to the sums over
// orbitals.
#pragma once

#include "kokkos_kernels/orbitals/field_cut.hpp"
#include "kokkos_kernels/orbitals/host_vector.hpp"

namespace tessera::kernels {

/// Adds `count` columns of an orbital to its values and derivatives on a part of a tile, as
/// FieldPoints does on a device. If these are all columns of the orbital that are left, the values
/// go from the registers into the sums over orbitals.
template <class Cut>
struct HostFieldProduct {
    using Products = typename Cut::Products;
    using At = typename Cut::SumsAt;
    static constexpr int kinds = Products::kinds, orders = Products::orders,
                         outputs = Products::outputs, width = Cut::Shape::x, high = Cut::item_rows,
                         points = Cut::points;
    static constexpr FieldDerivatives derivatives = Cut::derivatives;

    const double* rows;    ///< [column][kind][row]
    const double* tables;  ///< [place][order][x]
    const int* places;     ///< of the columns in the tables
    int count;
    double* values;      ///< [output][point], what earlier columns have given
    double* sums;        ///< [At::count][point]
    double alpha, beta;  ///< occupations of the orbital
    bool first, last;    ///< there are no columns before these, or after them

    template <class Fetch>
    KOKKOS_FUNCTION void run([[maybe_unused]] Fetch& fetch) const {
#ifndef __CUDA_ARCH__
        constexpr int across = width / Cut::item_x;
        for (int item = 0; item < Cut::items; ++item) {
            const int x = item % across * Cut::item_x, row = item / across * high;
            const int at = row * width + x;
            Vector psi[outputs][high] = {};
            if (!first) load(psi, at);
            if (last) fetch.step();
            multiply(psi, rows + row, tables + x);
            if (last)
                add_to_sums(psi, at);
            else
                store(psi, at);
        }
#endif
    }

  private:
#ifndef __CUDA_ARCH__
    using Vector = HostVector<double>;
    using Values = Vector[outputs][high];

    void load(Values& psi, int at) const {
        TESSERA_UNROLL_ALL
        for (int o = 0; o < outputs; ++o) TESSERA_UNROLL_ALL
        for (int r = 0; r < high; ++r)
            psi[o][r] = Vector::load(values + o * points + r * width + at);
    }
    void store(const Values& psi, int at) const {
        TESSERA_UNROLL_ALL
        for (int o = 0; o < outputs; ++o) TESSERA_UNROLL_ALL
        for (int r = 0; r < high; ++r) psi[o][r].store(values + o * points + r * width + at);
    }

    void multiply(Values& psi, const double* row, const double* table) const {
        for (int c = 0; c < count; ++c) {
            Vector x[orders];
            TESSERA_UNROLL_ALL
            for (int o = 0; o < orders; ++o)
                x[o] = Vector::load(table + (places[c] * orders + o) * width);
            TESSERA_UNROLL_ALL
            for (int p = 0; p < Products::products; ++p) TESSERA_UNROLL_ALL
            for (int r = 0; r < high; ++r)
                psi[Products::output(p)][r] +=
                    row[(c * kinds + Products::kind(p)) * Cut::rows + r] * x[Products::order(p)];
        }
    }

    void add_to_sums(const Values& psi, int at) const {
        TESSERA_UNROLL_ALL
        for (int r = 0; r < high; ++r) {
            double* const to = sums + at + r * width;
            if (alpha != 0) add_spin(At::alpha, alpha, psi, r, to);
            if (beta != 0) add_spin(At::beta, beta, psi, r, to);
            add_both(alpha + beta, psi, r, to);
        }
    }
    static void add(double* to, int sum, const Vector& term) {
        (Vector::load(to + sum * points) + term).store(to + sum * points);
    }
    static void add_spin(int sum, double weight, const Values& psi, int r, double* to) {
        const Vector weighted = weight * psi[0][r];
        TESSERA_UNROLL_ALL
        for (int o = 0; o < 4; ++o) add(to, sum + o, weighted * psi[o][r]);
    }
    static void add_both(double weight, const Values& psi, int r, double* to) {
        add(to, At::squares,
            weight * (psi[1][r] * psi[1][r] + psi[2][r] * psi[2][r] + psi[3][r] * psi[3][r]));
        if constexpr (derivatives == FieldDerivatives::laplacian)
            add(to, At::second, weight * (psi[0][r] * psi[4][r]));
        if constexpr (derivatives == FieldDerivatives::hessian) {
            int at = 0;
            TESSERA_UNROLL_ALL
            for (int a = 1; a <= 3; ++a) TESSERA_UNROLL_ALL
            for (int b = a; b <= 3; ++b) {
                add(to, At::second + at,
                    weight * (psi[a][r] * psi[b][r] + psi[0][r] * psi[4 + at][r]));
                ++at;
            }
        }
    }
#endif
};

}  // namespace tessera::kernels
