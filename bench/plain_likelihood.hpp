// The published formulas point by point. They are the first row of bench_likelihood.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/likelihood/exact/likelihood_problem.hpp"
#include "kokkos_kernels/likelihood/exact/radial_segments.hpp"

namespace tessera::bench {

/// A thread takes a column. For every node it computes the cartesian place, the distance from each
/// stream's axis, and library functions. Sums are Kahan sums in `Real`, or running sums without
/// compensation. The nodes are the only table. The halo is the 2018 Hernquist halo with disk, or
/// the classic one.
template <class Real, class Device, bool Kahan = true>
struct PlainColumns {
    static constexpr int threads = kernels::is_host<Device> ? 1 : 128, blocks_per_unit = 1;
    static constexpr int shared_bytes = 64, most_streams = 4;

    struct Stream {
        Real axis[3], centre[3], inverse_two_sigma2;
    };

    kernels::ColumnsView columns;
    const Real* radius;
    const Real* weight;
    int nodes, first, count, stream_count;
    Stream streams[most_streams];
    Real core, inverse_q, halo, disk;
    Real* sums;  ///< [component][column]

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        for (int i = block.index * threads + block.rank(); i < (block.index + 1) * threads;
             i += Block::size)
            if (i < count) column(i);
    }

  private:
    struct Sum {
        Real value = 0, lost = 0;
        KOKKOS_FUNCTION void add(Real term) {
            const Real y = Kahan ? term - lost : term;
            const Real t = value + y;
            if (Kahan) lost = (t - value) - y;
            value = t;
        }
    };

    KOKKOS_FUNCTION void column(int i) const {
        const kernels::DeviceVec d = columns.direction(first + i);
        const Real dx = static_cast<Real>(d.x), dy = static_cast<Real>(d.y),
                   dz = static_cast<Real>(d.z);
        Sum sum[1 + most_streams];
        for (int k = 0; k < nodes; ++k) {
            const Real x = dx * radius[k] - Real(8.5), y = dy * radius[k], z = dz * radius[k];
            sum[0].add(weight[k] * background(x, y, z));
            for (int s = 0; s < stream_count; ++s)
                sum[1 + s].add(weight[k] * stream(streams[s], x, y, z));
        }
        const Real across = static_cast<Real>(columns.weight(first + i));
        for (int k = 0; k <= stream_count; ++k) sums[k * count + i] = across * sum[k].value;
    }

    KOKKOS_FUNCTION Real background(Real x, Real y, Real z) const {
        const Real zq = z * inverse_q;
        const Real rg = Kokkos::sqrt(x * x + y * y + zq * zq), outer = rg + core;
        const Real density = halo / (rg * outer * outer * outer);
        if (disk == 0) return density;
        return density + disk * Kokkos::exp(Real(-0.285714286) * Kokkos::sqrt(x * x + y * y) -
                                            Real(1.428571429) * Kokkos::abs(z));
    }

    KOKKOS_FUNCTION static Real stream(const Stream& s, Real x, Real y, Real z) {
        const Real u[3] = {x - s.centre[0], y - s.centre[1], z - s.centre[2]};
        const Real along = s.axis[0] * u[0] + s.axis[1] * u[1] + s.axis[2] * u[2];
        Real across = 0;
        for (int i = 0; i < 3; ++i) {
            const Real p = u[i] - along * s.axis[i];
            across += p * p;
        }
        return Kokkos::exp(-across * s.inverse_two_sigma2);
    }
};

}  // namespace tessera::bench
