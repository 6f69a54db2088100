// Values of a grid block as marching cubes sees them, and ordered counts within a block of threads.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"

namespace tessera::kernels {

/// The part of a lobe's surface that belongs to a point. Bit a of `cut` says that the edge along
/// axis a is cut. Its vertex belongs to the point, which welds the vertices. `corners` is the case
/// of the cube.
struct LobeCell {
    int cut = 0, corners = 0;
    KOKKOS_FUNCTION int vertices() const { return (cut & 1) + (cut >> 1 & 1) + (cut >> 2); }
};

/// Values [z][y][x] of a grid block. Lobe 0 is where psi > level, lobe 1 where psi < -level.
template <class Real>
struct LevelGrid {
    const Real* values;
    std::int64_t nx, ny, nz;
    Real level;  ///< > 0

    static constexpr int chunk = 256;  ///< points
    KOKKOS_FUNCTION std::int64_t points() const { return nx * ny * nz; }
    KOKKOS_FUNCTION std::int64_t chunks() const { return (points() + chunk - 1) / chunk; }
    KOKKOS_FUNCTION int points_in(std::int64_t index) const {
        const std::int64_t left = points() - index * chunk;
        return static_cast<int>(left < chunk ? left : chunk);
    }

    KOKKOS_FUNCTION bool inside(int lobe, Real value) const {
        return lobe == 0 ? value > level : value < -level;
    }
    KOKKOS_FUNCTION std::int64_t stride(int axis) const {
        return axis == 0 ? 1 : axis == 1 ? nx : nx * ny;
    }
    KOKKOS_FUNCTION std::int64_t corner(int c) const {
        return (c & 1) + (c >> 1 & 1) * nx + (c >> 2) * nx * ny;
    }
    KOKKOS_FUNCTION void position(std::int64_t at, std::int64_t (&p)[3]) const {
        p[0] = at % nx, p[1] = at / nx % ny, p[2] = at / (nx * ny);
    }

    /// Nearly all points have no surface. Only the others compute their position.
    KOKKOS_FUNCTION LobeCell cell(std::int64_t at, int lobe) const {
        int bits = 0;
        const bool all_there = at + corner(7) < points();
        TESSERA_UNROLL_ALL
        for (int c = 0; c < 8; ++c) {
            const std::int64_t to = at + corner(c);
            bits |= inside(lobe, values[all_there || to < points() ? to : at]) << c;
        }
        if (bits == 0 || bits == 255) return {};
        std::int64_t p[3];
        position(at, p);
        const int within = (p[0] + 1 < nx) | (p[1] + 1 < ny) << 1 | (p[2] + 1 < nz) << 2;
        return {cut_edges(bits) & within, within == 7 ? bits : 0};
    }

    /// Whether a chunk certainly has no surface, because all points of all its cubes lie on one
    /// side. Hosts ask this first.
    KOKKOS_FUNCTION bool is_uniform(std::int64_t index) const {
        const std::int64_t first = index * chunk, row = chunk + 1;
        if (first + row + corner(6) > points()) return false;
        int positive = 0, negative = 0;
        for (int c = 0; c < 8; c += 2) {
            const Real* from = values + first + corner(c);
            for (int i = 0; i < row; ++i) {
                positive += from[i] > level;
                negative += from[i] < -level;
            }
        }
        return (positive == 0 || positive == 4 * row) && (negative == 0 || negative == 4 * row);
    }

  private:
    KOKKOS_FUNCTION static int cut_edges(int bits) {
        const int other = bits & 1 ? ~bits : bits;
        return (other >> 1 & 1) | (other >> 2 & 1) << 1 | (other >> 4 & 1) << 2;
    }
};

/// Calls store(i, before) for the i in [0, n), where `before` is the sum of count(j) over j < i.
/// Returns the sum over all i to all threads. `scratch` holds one number per warp.
template <class Block, class Count, class Store>
KOKKOS_FUNCTION std::uint64_t running_counts([[maybe_unused]] const Block& block, int n,
                                             [[maybe_unused]] std::uint64_t* scratch,
                                             const Count& count, const Store& store) {
    std::uint64_t total = 0;
    if constexpr (Block::size == 1) {
        for (int i = 0; i < n; ++i) {
            const std::uint64_t own = count(i);
            store(i, total);
            total += own;
        }
    } else {
#ifdef __CUDA_ARCH__
        const int warp = block.rank() / warp_lanes, lane = block.rank() % warp_lanes;
        for (int base = 0; base < n; base += Block::size) {
            const int i = base + block.rank();
            const std::uint64_t own = i < n ? count(i) : 0;
            unsigned long long up_to = own;
            for (int step = 1; step < warp_lanes; step *= 2) {
                const unsigned long long below = __shfl_up_sync(0xffffffffU, up_to, step);
                if (lane >= step) up_to += below;
            }
            if (lane == warp_lanes - 1) scratch[warp] = up_to;
            block.barrier();
            std::uint64_t before = 0, all = 0;
            for (int w = 0; w < Block::size / warp_lanes; ++w) {
                before += w < warp ? scratch[w] : 0;
                all += scratch[w];
            }
            if (i < n) store(i, total + before + up_to - own);
            total += all;
            block.barrier();
        }
#endif
    }
    return total;
}

}  // namespace tessera::kernels
