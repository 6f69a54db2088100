// Densities of stars: a block a star, all of its nodes and all terms; in double whatever the precision,
// since stars take no time.
#pragma once

#include "kokkos_kernels/block_launch.hpp"
#include "kokkos_kernels/likelihood/density_lines.hpp"
#include "kokkos_kernels/likelihood/sums.hpp"
#include "kokkos_kernels/orbitals/block_tools.hpp"

namespace tessera::kernels {

/// sums[star * terms + term] of weight * density over the star's nodes.
template <class Device>
struct StarSums {
    using Sum = CompensatedSum<double>;
    static constexpr bool host = is_host<Device>;
    static constexpr int threads = host ? 1 : 128, blocks_per_unit = 4;
    static constexpr int shared_bytes = threads * static_cast<int>(sizeof(Sum));

    const DeviceVec* direction;
    const double* radius;
    const double* weight;
    int nodes;
    const DensityTerm* terms;
    int term_count;
    double* sums;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const DeviceVec towards = direction[block.index];
        const std::int64_t from = std::int64_t{block.index} * nodes;
        [[maybe_unused]] const FlushDenormals flush;
        for (int i = 0; i < term_count; ++i) {
            const DensityTerm& term = terms[i];
            const Sum all = sum_block(block, dispatch(block, term, towards, from),
                                      static_cast<Sum*>(block.shared));
            if (block.rank() == 0)
                sums[std::int64_t{block.index} * term_count + i] = all.value + all.compensation;
            block.barrier();
        }
    }

  private:
    template <class Block>
    KOKKOS_FUNCTION Sum dispatch(const Block& block, const DensityTerm& term, DeviceVec towards,
                                 std::int64_t from) const {
        using Own = OwnFunctions;
        switch (term.kind) {
            case TermKind::hernquist:
                return run<HernquistLine<double, Own>>(block, term, towards, from);
            case TermKind::hernquist_general:
                return run<PowerLine<double, Own, false>>(block, term, towards, from);
            case TermKind::power_law:
                return run<PowerLine<double, Own, true>>(block, term, towards, from);
            case TermKind::disk:
                return run<DiskLine<double, Own, every_exponential>>(block, term, towards, from);
            default:
                return run<StreamLine<double, Own, every_exponential>>(block, term, towards, from);
        }
    }

    template <class Line, class Block>
    KOKKOS_FUNCTION Sum run(const Block& block, const DensityTerm& term, DeviceVec towards,
                            std::int64_t from) const {
        const Line line(term, towards, term.along(towards));
        const double *r = radius + from, *w = weight + from;
        Sum sum;
        if constexpr (Block::size == 1) {
            double all = 0;
#pragma omp simd reduction(+ : all)
            for (int i = 0; i < nodes; ++i) all += w[i] * line.at(r[i])(0.0);
            sum.add(all);
        } else {
            for (int i = block.rank(); i < nodes; i += block.size)
                sum.add(w[i] * line.at(r[i])(0.0));
        }
        return sum;
    }
};

}  // namespace tessera::kernels
