// The groups that matter in each box of tiles, and the threshold below which a tile drops a group.
#pragma once

#include <cmath>

#include "kokkos_kernels/orbitals/point_tile.hpp"

namespace tessera::kernels {

/// Thresholds t_0 > t_1 > ... for the part of a single group.
struct DropThresholds {
    static constexpr int count = 12;
    float value[count];
    float tolerance;

    /// If every group drops the last threshold, the tolerance still holds. With tolerance 0, no
    /// group is dropped (bounds are >= 0).
    DropThresholds(double tolerance, int groups)
        : tolerance(static_cast<float>(tolerance * 0.999)) {
        const double last = 0.99 / std::max(groups, 1);
        for (int k = 0; k < count; ++k)
            value[k] = tolerance > 0
                           ? static_cast<float>(tolerance * std::pow(last, (k + 1.0) / count))
                           : -1.0F;
    }
};

/// For every box: the largest threshold t with sum over groups of min(t, B_g) <= tolerance, and the
/// ordered list of groups with B_g > t. B_g bounds group g anywhere in the box. Any tile in the box
/// may then drop the groups that stay below t on it, because each drops at most min(t, B_g).
template <class Shape, int Threads>
struct BoxLists {
    static constexpr int threads = Threads, blocks_per_unit = 8;
    static constexpr int lanes = GroupBounds::padding;   ///< partial sums, in fixed order
    static constexpr int width = Threads == 1 ? 16 : 1;  ///< lanes that a thread takes at once
    static constexpr int ahead = Threads == 1 ? 1 : 3;   ///< bounds that are loaded together
    static constexpr int K = DropThresholds::count;
    static constexpr int pitch = lanes + 1;
    static constexpr int parts = 8;    ///< parts of the lanes' sums, each summed in order
    static constexpr int kept = 2048;  ///< bounds kept between counting and filling
    static constexpr int shared_bytes = (K * pitch + kept + K * parts + warp_lanes) * 4;

    TileFrame frame;
    DropThresholds thresholds;
    GroupBounds groups;
    int group_count;
    int first_box;     ///< first box of the pass
    int* lists;        ///< [box of the pass][group_count]
    int* lengths;      ///< [box of the pass]
    float* threshold;  ///< [box of the pass]

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        [[maybe_unused]] const FlushDenormals on_hosts;
        block.let_next_begin();
        std::int64_t first[3];
        frame.template box_point<Shape>(first_box + block.index, first);
        const PointRegion region(frame, first, Shape::box * Shape::x, Shape::box * Shape::y,
                                 Shape::box * Shape::z);
        auto* sums = static_cast<float*>(block.shared);
        float* bounds = sums + K * pitch;
        float* totals = bounds + kept;
        auto* scratch = reinterpret_cast<int*>(totals + K * parts);
        for (int lane = block.rank() * width; lane < lanes; lane += block.size * width)
            sum_lanes(region, lane, sums, bounds);
        block.barrier();
        for (int i = block.rank(); i < K * parts; i += block.size) {
            const float* from = sums + i / parts * pitch + i % parts * (lanes / parts);
            float total = 0;
            for (int lane = 0; lane < lanes / parts; ++lane) total += from[lane];
            totals[i] = total;
        }
        block.barrier();
        const auto total = [totals](int k) {
            float sum = 0;
            for (int part = 0; part < parts; ++part) sum += totals[k * parts + part];
            return sum;
        };
        int k = 0;
        while (k < K - 1 && !(total(k) <= thresholds.tolerance)) ++k;
        fill(block, region, thresholds.value[k], bounds, scratch);
    }

  private:
    KOKKOS_FUNCTION void sum_lanes(const PointRegion& region, int lane, float* sums,
                                   float* bounds) const {
        float part[K][width] = {};
        for (int base = lane; base < group_count; base += ahead * lanes) {
            float bound[ahead][width];
            TESSERA_UNROLL_ALL
            for (int i = 0; i < ahead; ++i)
                if (base + i * lanes < group_count)
                    for (int w = 0; w < width; ++w)
                        bound[i][w] = region.bound(groups, base + i * lanes + w);
            TESSERA_UNROLL_ALL
            for (int i = 0; i < ahead; ++i) {
                const int at = base + i * lanes;
                if (at >= group_count) break;
                if (at < kept)
                    for (int w = 0; w < width; ++w) bounds[at + w] = bound[i][w];
                TESSERA_UNROLL_ALL
                for (int k = 0; k < K; ++k)
                    for (int w = 0; w < width; ++w)
                        part[k][w] +=
                            bound[i][w] < thresholds.value[k] ? bound[i][w] : thresholds.value[k];
            }
        }
        for (int k = 0; k < K; ++k)
            for (int w = 0; w < width; ++w) sums[k * pitch + lane + w] = part[k][w];
    }

    template <class Block>
    KOKKOS_FUNCTION void fill(const Block& block, const PointRegion& region, float drop,
                              float* bounds, int* scratch) const {
        int* list = lists + std::int64_t{block.index} * group_count;
        int length = 0;
        for (int base = 0; base < group_count; base += kept) {
            const int count = group_count - base < kept ? group_count - base : kept;
            if (base > 0) {
                block.barrier();
                for (int i = block.rank() * width; i < count; i += block.size * width)
                    for (int w = 0; w < width; ++w)
                        bounds[i + w] = region.bound(groups, base + i + w);
                block.barrier();
            }
            length = append_kept(
                block, count, length, scratch, [=](int i) { return !(bounds[i] <= drop); },
                [=](int at, int i) { list[at] = base + i; });
        }
        if (block.rank() == 0) {
            lengths[block.index] = length;
            threshold[block.index] = drop;
        }
    }
};

}  // namespace tessera::kernels
