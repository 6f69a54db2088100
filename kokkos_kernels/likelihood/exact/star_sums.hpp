// Densities of stars. A block takes a star, with all its nodes and all terms. Sums are in double in
// every mode, because stars take little time.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/likelihood/exact/disk_line.hpp"
#include "kokkos_kernels/likelihood/exact/sums.hpp"

namespace tessera::kernels {

/// sums[star * terms + term] = sum of weight * density over the star's nodes. Models without tracks
/// and models without disks of their own have kernels of their own, because both need registers.
template <class Device, bool Tracks, bool Disks = false>
struct StarSums {
    using Sum = CompensatedSum<double>;
    static constexpr bool host = is_host<Device>;
    static constexpr int threads = host ? 1 : 128, blocks_per_unit = 4;
    static constexpr int shared_bytes = threads * static_cast<int>(sizeof(Sum));

    /// The numbers of a star. `faint` and `bright` are in bits per squared magnitude.
    struct Star {
        DeviceVec direction;
        double distance, along, faint, bright;
    };
    struct Node {
        double offset, ratio, weight;
    };

    const Star* stars;
    const Node* table;
    int nodes;
    const DensityTerm* terms;
    int term_count;
    double* sums;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const Star star = stars[block.index];
        [[maybe_unused]] const FlushDenormals flush;
        for (int i = 0; i < term_count; ++i) {
            const Sum all =
                sum_block(block, dispatch(block, terms[i], star), static_cast<Sum*>(block.shared));
            if (block.rank() == 0)
                sums[std::int64_t{block.index} * term_count + i] = all.value + all.compensation;
            block.barrier();
        }
    }

  private:
    template <class Block>
    KOKKOS_FUNCTION Sum dispatch(const Block& block, const DensityTerm& term,
                                 const Star& star) const {
        using Own = OwnFunctions;
        if constexpr (Tracks)
            if (term.kind == TermKind::track) return run<TrackLine<double, Own>>(block, term, star);
        if constexpr (Disks)
            if (term.kind == TermKind::own_disk)
                return run<OwnDiskLine<double, Own, every_exponential>>(block, term, star);
        switch (term.kind) {
            case TermKind::hernquist: return run<HernquistLine<double, Own>>(block, term, star);
            case TermKind::hernquist_general:
                return run<PowerLine<double, Own, false>>(block, term, star);
            case TermKind::power_law: return run<PowerLine<double, Own, true>>(block, term, star);
            case TermKind::einasto: return run<EinastoLine<double, Own>>(block, term, star);
            case TermKind::disk:
                return run<DiskLine<double, Own, every_exponential>>(block, term, star);
            default: return run<StreamLine<double, Own, every_exponential>>(block, term, star);
        }
    }

    template <class Line, class Block>
    KOKKOS_FUNCTION Sum run(const Block& block, const DensityTerm& term, const Star& star) const {
        const Line line(term, star.direction, term.along(star.direction));
        Sum sum;
        if constexpr (Block::size == 1) {
            double all = 0;
#pragma omp simd reduction(+ : all)
            for (int i = 0; i < nodes; ++i) all += counted(line, star, table[i]);
            sum.add(all);
        } else {
            for (int i = block.rank(); i < nodes; i += block.size)
                sum.add(counted(line, star, table[i]));
        }
        return {star.along * sum.value, star.along * sum.compensation};
    }

    template <class Line>
    KOKKOS_FUNCTION static double counted(const Line& line, const Star& star, const Node& node) {
        const double fall = node.offset <= 0 ? star.faint : star.bright;
        const auto density = line.at(star.distance * node.ratio);
        return node.weight * two_to_minus(node.offset * node.offset * fall) * density(0.0);
    }
};

}  // namespace tessera::kernels
