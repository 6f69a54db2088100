// The nodes of an area as kernels read them. They are sorted by radius, in chunks about a reference
// radius, and in segments that a block works on.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/likelihood/exact/likelihood_problem.hpp"
#include "kokkos_kernels/likelihood/exact/sight_line.hpp"

namespace tessera::kernels {

inline constexpr int chunk_nodes = 32;
inline constexpr int segment_nodes = 512;
inline constexpr int segment_chunks = segment_nodes / chunk_nodes;

/// Limits that hold for all nodes of a segment.
struct SegmentSpan {
    double low = 0, high = 0;  ///< radius, kpc
    double reach = 0;          ///< largest distance of a node from its chunk's reference
    double weight = 0;         ///< sum of the weights
};

struct RadialNode {
    double radius, weight;
};

/// Sorts the nodes by radius. Equal radii stay in the given order. Positive numbers have the order
/// of their bits. The bits grow about as the logarithm, in which nodes are spread evenly. With as
/// many buckets as nodes, only a few nodes are left to sort in each, by insertion.
inline std::vector<RadialNode> by_radius(const AreaTables& area) {
    const std::size_t count = area.radius.size();
    std::vector<RadialNode> nodes(count);
    if (count == 0) return nodes;
    const auto bits = [](double r) { return std::bit_cast<std::uint64_t>(r); };
    const auto [nearest, farthest] = std::ranges::minmax(area.radius);
    const std::uint64_t least = bits(nearest), range = bits(farthest) - least;
    const int shift = std::max(0, static_cast<int>(std::bit_width(range)) -
                                      static_cast<int>(std::bit_width(count)));
    const auto bucket = [&](double r) { return (bits(r) - least) >> shift; };
    std::vector<std::uint32_t> place((range >> shift) + 2, 0);
    for (const double r : area.radius) ++place[bucket(r) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (std::size_t i = 0; i < count; ++i)
        nodes[place[bucket(area.radius[i])]++] = {area.radius[i], area.weight[i]};
    for (std::size_t i = 1; i < count; ++i) {
        const RadialNode node = nodes[i];
        std::size_t at = i;
        for (; at > 0 && nodes[at - 1].radius > node.radius; --at) nodes[at] = nodes[at - 1];
        nodes[at] = node;
    }
    return nodes;
}

/// Sorted tables on the host. Nodes of weight zero pad them to whole segments.
template <class Real>
struct SortedNodes {
    std::vector<Real> offset, weight;  ///< [node] from the chunk's reference, kpc
    std::vector<Real> reference;       ///< [chunk]
    std::vector<SegmentSpan> spans;    ///< [segment]

    explicit SortedNodes(const AreaTables& area) {
        const std::size_t count = area.radius.size();
        const std::vector<RadialNode> nodes = by_radius(area);
        const std::size_t segments = (count + segment_nodes - 1) / segment_nodes;
        offset.assign(segments * segment_nodes, Real(0));
        weight.assign(segments * segment_nodes, Real(0));
        reference.assign(segments * segment_chunks, Real(1));
        spans.resize(segments);
        for (std::size_t first = 0; first < count; first += chunk_nodes) {
            const std::size_t end = std::min(first + chunk_nodes, count);
            SegmentSpan& span = spans[first / segment_nodes];
            const double low = nodes[first].radius, high = nodes[end - 1].radius;
            const Real middle = static_cast<Real>((low + high) / 2);
            reference[first / chunk_nodes] = middle;
            if (first % segment_nodes == 0) span.low = low;
            span.high = high;
            for (std::size_t i = first; i < end; ++i) {
                const double d = nodes[i].radius - static_cast<double>(middle);
                offset[i] = static_cast<Real>(d);
                weight[i] = static_cast<Real>(nodes[i].weight);
                span.reach = std::max(span.reach, std::abs(d));
                span.weight += nodes[i].weight;
            }
        }
    }
};

/// The same tables on a device.
template <class Real>
struct SegmentsView {
    const Real* offset = nullptr;
    const Real* weight = nullptr;
    const Real* reference = nullptr;
    const SegmentSpan* spans = nullptr;
    int segments = 0;
};

/// Columns of an area on a device (see AreaTables).
struct ColumnsView {
    const double* mu_cos = nullptr;
    const double* mu_sin = nullptr;
    const double* nu_cos = nullptr;
    const double* nu_sin = nullptr;
    const double* nu_weight = nullptr;
    int nu_steps = 0;
    DeviceVec frame[3];
    const double* sky = nullptr;  ///< [column] factor of the weight; null: 1

    KOKKOS_INLINE_FUNCTION DeviceVec direction(int column) const {
        const int mu = column / nu_steps, nu = column % nu_steps;
        const DeviceVec across = frame[0].times(mu_cos[mu]).plus(frame[1].times(mu_sin[mu]));
        const DeviceVec v = across.times(nu_cos[nu]).plus(frame[2].times(nu_sin[nu]));
        return v.times(inverse_root(v.dot(v)));
    }
    KOKKOS_INLINE_FUNCTION double weight(int column) const {
        const double of_nu = nu_weight[column % nu_steps];
        return sky == nullptr ? of_nu : of_nu * sky[column];
    }
};

}  // namespace tessera::kernels
