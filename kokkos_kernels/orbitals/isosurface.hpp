// Marching cubes over values in device memory, by counting, scanning and filling. It takes points
// in chunks of neighbours. After the count it reads only the chunks that a surface meets.
#pragma once

#include "kokkos_kernels/orbitals/level_grid.hpp"
#include "kokkos_kernels/orbitals/marching_cubes_table.hpp"
#include "kokkos_kernels/orbitals/point_tile.hpp"

namespace tessera::kernels {

/// How many vertices and triangles of both lobes lie in some chunks, and in how many chunks.
struct SurfaceCounts {
    std::uint32_t vertices[2]{}, triangles[2]{}, chunks[2]{};

    KOKKOS_FUNCTION SurfaceCounts& operator+=(const SurfaceCounts& other) {
        for (int lobe = 0; lobe < 2; ++lobe) {
            vertices[lobe] += other.vertices[lobe];
            triangles[lobe] += other.triangles[lobe];
            chunks[lobe] += other.chunks[lobe];
        }
        return *this;
    }
};

/// The counts of every chunk in one number: 16 bits each for the vertices of both lobes, then for
/// their triangles.
template <class Real, int Threads>
struct CountChunks {
    static constexpr int threads = Threads, blocks_per_unit = 4;
    static constexpr int shared_bytes = warp_lanes * 8;

    LevelGrid<Real> grid;
    const MarchingCubesTable* table;
    std::uint64_t* counts;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        if constexpr (Block::size == 1)
            if (grid.is_uniform(block.index)) {
                counts[block.index] = 0;
                return;
            }
        const std::int64_t first = std::int64_t{block.index} * grid.chunk;
        const std::uint64_t sum = running_counts(
            block, grid.points_in(block.index), static_cast<std::uint64_t*>(block.shared),
            [&](int i) { return packed(first + i); }, [](int, std::uint64_t) {});
        if (block.rank() == 0) counts[block.index] = sum;
    }

    KOKKOS_FUNCTION static SurfaceCounts unpack(std::uint64_t packed) {
        SurfaceCounts counts;
        for (int lobe = 0; lobe < 2; ++lobe) {
            counts.vertices[lobe] = packed >> 16 * lobe & 0xffff;
            counts.triangles[lobe] = packed >> (32 + 16 * lobe) & 0xffff;
            counts.chunks[lobe] = counts.vertices[lobe] + counts.triangles[lobe] > 0;
        }
        return counts;
    }

  private:
    KOKKOS_FUNCTION std::uint64_t packed(std::int64_t at) const {
        std::uint64_t sum = 0;
        for (int lobe = 0; lobe < 2; ++lobe) {
            const LobeCell cell = grid.cell(at, lobe);
            sum |= static_cast<std::uint64_t>(cell.vertices()) << 16 * lobe |
                   static_cast<std::uint64_t>(table->count[cell.corners]) << (32 + 16 * lobe);
        }
        return sum;
    }
};

/// The counts before each chunk, and the lists of the chunks that each lobe meets.
template <class Real>
struct ScanChunks {
    using Counts = CountChunks<Real, 1>;
    const std::uint64_t* counts;
    std::int64_t chunks;
    SurfaceCounts* before;
    std::uint32_t* met;  ///< [lobe][chunks]

    KOKKOS_FUNCTION void operator()(std::int64_t chunk, SurfaceCounts& sum, bool final) const {
        const SurfaceCounts own = Counts::unpack(counts[chunk]);
        if (final) {
            before[chunk] = sum;
            for (int lobe = 0; lobe < 2; ++lobe)
                if (own.chunks[lobe] > 0)
                    met[lobe * chunks + sum.chunks[lobe]] = static_cast<std::uint32_t>(chunk);
        }
        sum += own;
    }
};

/// Vertices of one lobe, by linear interpolation, and the point that each belongs to. A block takes
/// a chunk.
template <class Real, int Threads>
struct PlaceVertices {
    static constexpr int threads = Threads, blocks_per_unit = 4;
    static constexpr int shared_bytes = warp_lanes * 8;

    LevelGrid<Real> grid;
    TileFrame frame;
    int lobe;
    const std::uint32_t* met;  ///< chunks that the lobe meets
    const SurfaceCounts* before;
    std::uint32_t* first_vertex;  ///< [point] of the lobe
    float* vertices;              ///< [vertex][3] of the lobe, bohr
    std::int64_t* owners;         ///< [vertex] of the lobe

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const std::uint32_t chunk = met[block.index];
        const std::int64_t first = std::int64_t{chunk} * grid.chunk;
        const std::uint32_t start = before[chunk].vertices[lobe];
        running_counts(
            block, grid.points_in(chunk), static_cast<std::uint64_t*>(block.shared),
            [&](int i) {
                return static_cast<std::uint64_t>(grid.cell(first + i, lobe).vertices());
            },
            [&](int i, std::uint64_t so_far) {
                first_vertex[first + i] = start + static_cast<std::uint32_t>(so_far);
                place(first + i, start + static_cast<std::uint32_t>(so_far));
            });
    }

  private:
    KOKKOS_FUNCTION void place(std::int64_t at, std::uint32_t vertex) const {
        const int cut = grid.cell(at, lobe).cut;
        if (cut == 0) return;
        std::int64_t p[3];
        grid.position(at, p);
        const double level = lobe == 0 ? grid.level : -grid.level;
        for (int axis = 0; axis < 3; ++axis) {
            if (!(cut >> axis & 1)) continue;
            const double here = grid.values[at], there = grid.values[at + grid.stride(axis)];
            const double part = (level - here) / (there - here);
            for (int a = 0; a < 3; ++a)
                vertices[3 * std::size_t{vertex} + a] =
                    static_cast<float>(frame.coordinate(a, frame.begin[a] + p[a]) +
                                       (a == axis ? part * frame.spacing[a] : 0.0));
            owners[vertex++] = at;
        }
    }
};

/// Triangles of one lobe, anticlockwise seen from outside. A block takes a chunk.
template <class Real, int Threads>
struct FillTriangles {
    static constexpr int threads = Threads, blocks_per_unit = 4;
    static constexpr int shared_bytes = warp_lanes * 8;

    LevelGrid<Real> grid;
    const MarchingCubesTable* table;
    int lobe;
    std::uint32_t lobe_first;  ///< the lobe's first vertex among those of both
    const std::uint32_t* met;  ///< chunks that the lobe meets
    const SurfaceCounts* before;
    const std::uint32_t* first_vertex;  ///< [point] of the lobe
    std::uint32_t* triangles;           ///< [triangle][3] of the lobe

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const std::uint32_t chunk = met[block.index];
        const std::int64_t first = std::int64_t{chunk} * grid.chunk;
        const std::uint32_t start = before[chunk].triangles[lobe];
        running_counts(
            block, grid.points_in(chunk), static_cast<std::uint64_t*>(block.shared),
            [&](int i) { return std::uint64_t{table->count[grid.cell(first + i, lobe).corners]}; },
            [&](int i, std::uint64_t so_far) {
                fill(first + i, start + static_cast<std::uint32_t>(so_far));
            });
    }

  private:
    KOKKOS_FUNCTION void fill(std::int64_t at, std::uint32_t triangle) const {
        const int corners = grid.cell(at, lobe).corners;
        for (int i = 0; i < 3 * table->count[corners]; ++i) {
            const int edge = table->edges[corners][i], axis = edge / 4;
            const std::int64_t owner = at + grid.corner(MarchingCubesTable::edge_corner(edge));
            const LobeCell earlier{grid.cell(owner, lobe).cut & ((1 << axis) - 1)};
            triangles[3 * std::size_t{triangle} + i] =
                lobe_first + first_vertex[owner] + static_cast<std::uint32_t>(earlier.vertices());
        }
    }
};

}  // namespace tessera::kernels
