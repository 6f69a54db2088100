// The sum of a density term over a block of columns and a segment of their nodes.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/likelihood/exact/disk_line.hpp"
#include "kokkos_kernels/likelihood/exact/radial_segments.hpp"
#include "kokkos_kernels/likelihood/exact/steps.hpp"
#include "kokkos_kernels/likelihood/exact/sums.hpp"

namespace tessera::kernels {

/// A block takes a group of columns, some segments and a term: partials[(group * segment_groups +
/// segment_group) * terms + term]. A thread takes several columns at once, so that one read of a
/// node serves all of them. Hosts take several segments, so that the setup of a column serves all
/// of them. With plain sums, a block takes all segments.
template <class Math, class Device, class Steps = AllSteps>
struct IntegrateColumns {
    using Real = typename Math::Real;
    using Sum = typename Math::Sum;
    using Functions = typename Steps::Functions;
    static constexpr bool host = is_host<Device>;
    static constexpr int threads = host ? 1 : 128, blocks_per_unit = 4;
    static constexpr int columns_a_thread = host ? 1 : 2;
    static constexpr int group_columns = 256;
    /// With plain sums, a column is one running sum over its nodes on every device.
    static constexpr bool running = std::is_same_v<Sum, PlainSum<Real>>;
    static constexpr int group_segments = running ? 1 << 20 : host ? 8 : 1;
    static constexpr int shared_bytes =
        host ? 64
             : (2 * segment_nodes + segment_chunks) * static_cast<int>(sizeof(Real)) +
                   threads * static_cast<int>(sizeof(CompensatedSum<Real>));
    static_assert(host || group_columns == threads * columns_a_thread);

    ColumnsView columns;
    SegmentsView<Real> nodes;
    const DensityTerm* terms;
    const double* bounds;  ///< [term][segment], see SkipBounds
    int term_count;
    int first, count;  ///< columns
    Sum* partials;

    static int segment_groups(int segments) {
        return (segments + group_segments - 1) / group_segments;
    }
    static int groups(int count) { return (count + group_columns - 1) / group_columns; }

    /// Nodes of one segment. On a device they are in fast memory.
    struct Nodes {
        const Real* offset;
        const Real* weight;
        const Real* reference;
    };

    /// A thread's columns.
    struct Mine {
        DeviceVec direction[columns_a_thread];
        Quadratic<double> along[columns_a_thread];
        double weight[columns_a_thread];
        Real running[columns_a_thread];  ///< of the nodes so far, for running sums only
    };

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const int which = block.index % term_count;
        const int rest = block.index / term_count,
                  across = (nodes.segments + group_segments - 1) / group_segments;
        const int from = rest % across * group_segments, group = rest / across;
        const int to =
            from + group_segments < nodes.segments ? from + group_segments : nodes.segments;
        [[maybe_unused]] const FlushDenormals flush;
        Sum sum;
        for (int lane = block.rank(); lane < group_columns; lane += columns_a_thread * block.size) {
            Mine mine;
            for (int j = 0; j < columns_a_thread; ++j)
                look_along(mine, j, which, group * group_columns + lane + j * block.size);
            for (int segment = from; segment < to; ++segment)
                add_segment(block, terms[which], mine, segment,
                            bounds[which * nodes.segments + segment], sum);
            if constexpr (running)
                for (int j = 0; j < columns_a_thread; ++j)
                    sum.add(mine.running[j] * static_cast<Real>(mine.weight[j]));
        }
        block.barrier();
        const Sum all = sum_block(block, sum, static_cast<Sum*>(block.shared));
        if (block.rank() == 0) partials[block.index] = all;
    }

  private:
    template <class Block>
    KOKKOS_FUNCTION static bool any_of(const Block&, bool mine) {
#ifdef __CUDA_ARCH__
        return __syncthreads_or(mine);
#else
        return mine;
#endif
    }

    /// The largest effort that a thread of the warp needs.
    KOKKOS_FUNCTION static int warp_most(int mine) {
#ifdef __CUDA_ARCH__
        for (int level = 3; level >= 0; --level)
            if (__any_sync(0xffffffffU, mine == level)) return level;
        return -1;
#else
        return mine;
#endif
    }

    /// Sets up column j of the thread. Columns beyond the last have weight 0.
    KOKKOS_FUNCTION void look_along(Mine& mine, int j, int which, int column) const {
        const bool real = column < count;
        const int index = first + (real ? column : count - 1);
        mine.direction[j] = columns.direction(index);
        mine.along[j] = terms[which].along(mine.direction[j]);
        mine.weight[j] = real ? columns.weight(index) : 0;
        if constexpr (running) mine.running[j] = 0;
    }

    template <class Block>
    KOKKOS_FUNCTION void add_segment(const Block& block, const DensityTerm& term, Mine& mine,
                                     int segment, double bound, Sum& sum) const {
        int most = -1;
        for (int j = 0; j < columns_a_thread; ++j) {
            const int needed =
                effort(term, mine.direction[j], mine.along[j], nodes.spans[segment], bound);
            most = needed > most ? needed : most;
        }
        if (!any_of(block, most >= 0)) return;
        const Nodes at = load(block, segment);
        most = warp_most(most);
        if (most >= 0) sum.add(dispatch(term, mine, most, at));
    }

    /// How the exponentials of a segment are evaluated along a direction: -1 not at all, 0 to 2 by
    /// the series from low to high degree, 3 each by itself.
    KOKKOS_FUNCTION static int effort(const DensityTerm& term, DeviceVec direction,
                                      const Quadratic<double>& q, const SegmentSpan& span,
                                      double bound) {
        const TermKind kind = term.kind;
        double reach = 0;  // of the exponent within a chunk, in bits
        if constexpr (Steps::tracks)
            if (kind == TermKind::track) {
                const double least = TrackSpan(term, direction, span.low, span.high).least;
                return Steps::skip && least * least > bound ? -1 : 0;
            }
        if constexpr (Steps::disks)
            if (kind == TermKind::own_disk) {
                const double height = term.outer * std::abs(direction.z),
                             across = term.inner * std::sqrt(q.least(span.low, span.high));
                if (Steps::skip && across + height * span.low > bound) return -1;
                return series_for<Steps, Real>(span.reach * (term.inner + height));
            }
        if (kind == TermKind::stream) {
            if (Steps::skip && q.least(span.low, span.high) > bound) return -1;
            reach = span.reach * q.a * (2 * q.largest_root(span.low, span.high) + q.a * span.reach);
        } else if (kind == TermKind::disk) {
            const double height = disk_across_plane * std::abs(direction.z);
            const double across = disk_in_plane * std::sqrt(q.least(span.low, span.high));
            if (Steps::skip && across + height * span.low > bound) return -1;
            reach = span.reach * (disk_in_plane + height);
        } else {
            return 0;
        }
        return series_for<Steps, Real>(reach);
    }

    template <class Block>
    KOKKOS_FUNCTION Nodes load(const Block& block, int segment) const {
        const std::int64_t from = std::int64_t{segment} * segment_nodes;
        const Nodes all{nodes.offset + from, nodes.weight + from,
                        nodes.reference + std::int64_t{segment} * segment_chunks};
        if constexpr (host) {
            return all;
        } else {
            auto* offset = static_cast<Real*>(block.shared);
            Real *weight = offset + segment_nodes, *reference = weight + segment_nodes;
            for (int i = block.rank(); i < segment_nodes; i += block.size) {
                offset[i] = all.offset[i];
                weight[i] = all.weight[i];
            }
            for (int i = block.rank(); i < segment_chunks; i += block.size)
                reference[i] = all.reference[i];
            block.barrier();
            return {offset, weight, reference};
        }
    }

    KOKKOS_FUNCTION Sum dispatch(const DensityTerm& term, Mine& mine, int effort,
                                 const Nodes& at) const {
        if constexpr (Steps::tracks)
            if (term.kind == TermKind::track)
                return run<TrackLine<Real, Functions>>(term, mine, at);
        if constexpr (Steps::disks)
            if (term.kind == TermKind::own_disk)
                return with_series<OwnDiskLine>(term, mine, effort, at);
        switch (term.kind) {
            case TermKind::hernquist: return run<HernquistLine<Real, Functions>>(term, mine, at);
            case TermKind::hernquist_general:
                return run<PowerLine<Real, Functions, false>>(term, mine, at);
            case TermKind::power_law: return run<PowerLine<Real, Functions, true>>(term, mine, at);
            case TermKind::einasto: return run<EinastoLine<Real, Functions>>(term, mine, at);
            case TermKind::disk: return with_series<DiskLine>(term, mine, effort, at);
            default: return with_series<StreamLine>(term, mine, effort, at);
        }
    }

    template <template <class, class, int> class Line>
    KOKKOS_FUNCTION Sum with_series(const DensityTerm& term, Mine& mine, int effort,
                                    const Nodes& at) const {
        using Reach = SeriesReach<Real>;
        if constexpr (Steps::shared_exponential) {
            if (effort == 0) return run<Line<Real, Functions, Reach::low>>(term, mine, at);
            if (effort == 1) return run<Line<Real, Functions, Reach::middle>>(term, mine, at);
            if (effort == 2) return run<Line<Real, Functions, Reach::high>>(term, mine, at);
        }
        return run<Line<Real, Functions, every_exponential>>(term, mine, at);
    }

    /// Sums all chunks of the segment along the thread's columns.
    template <class Line>
    KOKKOS_FUNCTION static Sum run(const DensityTerm& term, Mine& mine, const Nodes& at) {
        Line line[columns_a_thread];
        Sum total[columns_a_thread];
        TESSERA_UNROLL_ALL
        for (int j = 0; j < columns_a_thread; ++j)
            line[j] = Line(term, mine.direction[j], mine.along[j]);
        TESSERA_KEEP_LOOP
        for (int chunk = 0; chunk < segment_chunks; ++chunk) {
            typename Line::Chunk density[columns_a_thread];
            Real sum[columns_a_thread] = {};
            TESSERA_UNROLL_ALL
            for (int j = 0; j < columns_a_thread; ++j) density[j] = line[j].at(at.reference[chunk]);
            const Real* const offset = at.offset + chunk * chunk_nodes;
            const Real* const weight = at.weight + chunk * chunk_nodes;
            if constexpr (running) {
                add_running(offset, weight, density, mine.running);
            } else {
                add_nodes(offset, weight, density, sum);
                TESSERA_UNROLL_ALL
                for (int j = 0; j < columns_a_thread; ++j) {
                    total[j].add(density[j].scale * sum[j]);
                    if constexpr (Line::has_rest)
                        total[j].compensation +=
                            line[j].rest(density[j]) * (density[j].scale * sum[j]);
                }
            }
        }
        Sum all;
        for (int j = 0; j < columns_a_thread; ++j) {
            // The weight is split in two parts. Few columns differ in weight, so its rounding would
            // not average out.
            const Real weight = static_cast<Real>(mine.weight[j]);
            const Real rest = static_cast<Real>(mine.weight[j] - static_cast<double>(weight));
            all.add(total[j].value * weight);
            all.add(total[j].value * rest + total[j].compensation * weight);
        }
        return all;
    }

    /// Adds node after node to the columns' sums, exactly in the order written.
    template <class Chunk>
    KOKKOS_FUNCTION static void add_running(const Real* offset, const Real* weight,
                                            const Chunk (&density)[columns_a_thread],
                                            Real (&sum)[columns_a_thread]) {
        for (int i = 0; i < chunk_nodes; ++i)
            for (int j = 0; j < columns_a_thread; ++j)
                sum[j] += density[j].scale * (weight[i] * density[j](offset[i]));
    }

    template <class Chunk>
    KOKKOS_FUNCTION static void add_nodes(const Real* offset, const Real* weight,
                                          const Chunk (&density)[columns_a_thread],
                                          Real (&sum)[columns_a_thread]) {
#ifdef __CUDA_ARCH__
#pragma unroll 4
        for (int i = 0; i < chunk_nodes; ++i) {
            const Real d = offset[i], w = weight[i];
#pragma unroll
            for (int j = 0; j < columns_a_thread; ++j) sum[j] += w * density[j](d);
        }
#else
        const Chunk mine = density[0];
        Real all = 0;
#pragma omp simd reduction(+ : all)
        for (int i = 0; i < chunk_nodes; ++i) all += weight[i] * mine(offset[i]);
        sum[0] = all;
#endif
    }
};

}  // namespace tessera::kernels
