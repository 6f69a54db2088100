// The kernels of PotentialEvaluator. Every point adds up the products in one fixed order.
#pragma once

#include "core/compensated_sum.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/orbitals/esp/hermite_sum.hpp"

namespace tessera::kernels {

/// What kernels read of a HermiteProduct.
struct DeviceProduct {
    double center[3];
    double scale;  ///< sqrt(2 exponent), bohr^-1
};

/// Points in a device's memory, [axis][stride]. The stride is a multiple of the lanes, and what is
/// behind the last point repeats it.
struct PointColumns {
    const double* places;
    std::int64_t stride;
};

/// The products of degree L at all points. A work item is a chunk of products at `Lanes` points.
/// Chunks are cut from the list of products alone, so the bits do not depend on the device's size.
template <int L, int Lanes>
struct AddProducts {
    static constexpr int chunk = 256;  ///< products
    static constexpr std::int64_t chunks(std::int64_t products) {
        return (products + chunk - 1) / chunk;
    }

    const double* boys;             ///< BoysTable
    const DeviceProduct* products;  ///< [count]
    const double* coefficients;     ///< [count][hermite_count(L)]
    std::int64_t count;
    PointColumns points;
    double* sums;  ///< [chunk][points.stride]

    KOKKOS_FUNCTION void operator()(std::int64_t item) const {
        const std::int64_t batches = points.stride / Lanes;
        const std::int64_t part = item / batches, point = item % batches * Lanes;
        double place[3][Lanes];
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < Lanes; ++i)
                place[a][i] = points.places[a * points.stride + point + i];
        CompensatedSum<double> sum[Lanes];
        const std::int64_t end = part + 1 < chunks(count) ? (part + 1) * chunk : count;
        for (std::int64_t product = part * chunk; product < end; ++product) {
            double value[Lanes];
            evaluate(products[product], coefficients + product * hermite_count(L), place, value);
            for (int i = 0; i < Lanes; ++i) sum[i].add(value[i]);
        }
        for (int i = 0; i < Lanes; ++i) sums[part * points.stride + point + i] = sum[i].result();
    }

  private:
    KOKKOS_INLINE_FUNCTION void evaluate(const DeviceProduct& product, const double* coefficient,
                                         const double (&place)[3][Lanes],
                                         double (&value)[Lanes]) const {
        double x[3][Lanes];
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < Lanes; ++i)
                x[a][i] = product.scale * (place[a][i] - product.center[a]);
        HermiteValues<L, Lanes> hermite;
        hermite.compute(boys, x);
        for (int i = 0; i < Lanes; ++i) value[i] = coefficient[0] * hermite.q[0][i];
        if constexpr (Lanes == 1)
            add_terms(coefficient, hermite, value[0],
                      std::make_integer_sequence<int, hermite_count(L) - 1>());
        else
            for (int index = 1; index < hermite_count(L); ++index)
                for (int i = 0; i < Lanes; ++i)
                    value[i] += coefficient[index] * hermite.q[index][i];
    }

    template <int... I>
    KOKKOS_INLINE_FUNCTION static void add_terms(const double* coefficient,
                                                 const HermiteValues<L, Lanes>& hermite,
                                                 double& value, std::integer_sequence<int, I...>) {
        ((value += coefficient[I + 1] * hermite.q[I + 1][0]), ...);
    }
};

/// Adds the chunks of each point in their order, after the charges: [charge][x, y, z, charge].
struct FinishPotential {
    const double* charges;
    int charge_count;
    const double* sums;  ///< [chunk][points.stride]
    std::int64_t chunks;
    PointColumns points;
    double* values;

    KOKKOS_FUNCTION void operator()(std::int64_t point) const {
        CompensatedSum<double> sum;
        for (int c = 0; c < charge_count; ++c) {
            double square = 0;
            for (int a = 0; a < 3; ++a) {
                const double d = points.places[a * points.stride + point] - charges[4 * c + a];
                square += d * d;
            }
            const double distance = Kokkos::sqrt(square);
            sum.add(charges[4 * c + 3] / (distance > nearest_charge ? distance : nearest_charge));
        }
        for (std::int64_t part = 0; part < chunks; ++part)
            sum.add(sums[part * points.stride + point]);
        values[point] = sum.result();
    }
};

}  // namespace tessera::kernels
