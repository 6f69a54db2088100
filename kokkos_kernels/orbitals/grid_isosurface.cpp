#include "kokkos_kernels/orbitals/grid_isosurface.hpp"

#include <memory>
#include <vector>

#include "kokkos_kernels/orbitals/isosurface.hpp"

namespace tessera::kernels {

namespace {

/// Memory whose pages the threads touch first.
template <class T>
std::unique_ptr<T[]> room_for(std::size_t count) {
    return std::make_unique_for_overwrite<T[]>(count);
}

/// Runs a kernel as blocks of one thread, without Kokkos. A program that only reads results
/// starts no device.
template <class Kernel>
void run_blocks(std::int64_t blocks, const Kernel& kernel) {
#pragma omp parallel for schedule(dynamic, 16)
    for (std::int64_t block = 0; block < blocks; ++block)
        kernel(HostBlock{static_cast<int>(block), nullptr});
}

/// Both lobes, by the kernels that SurfaceMaker launches.
template <class Real>
struct HostSurface {
    std::vector<std::array<float, 3>> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    SurfaceCounts total;

    HostSurface(const LevelGrid<Real>& grid, const TileFrame& frame) {
        const std::int64_t chunks = grid.chunks();
        const auto size = static_cast<std::size_t>(chunks);
        const auto counts = room_for<std::uint64_t>(size);
        run_blocks(chunks, CountChunks<Real, 1>{grid, &marching_cubes_table, counts.get()});
        const auto before = room_for<SurfaceCounts>(size);
        const auto met = room_for<std::uint32_t>(2 * size);
        const ScanChunks<Real> scan{counts.get(), chunks, before.get(), met.get()};
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) scan(chunk, total, true);
        vertices.resize(std::size_t{total.vertices[0]} + total.vertices[1]);
        triangles.resize(std::size_t{total.triangles[0]} + total.triangles[1]);
        if (triangles.empty()) return;
        const auto first_vertex = room_for<std::uint32_t>(static_cast<std::size_t>(grid.points()));
        const auto owners = room_for<std::int64_t>(vertices.size());
        for (int lobe = 0; lobe < 2; ++lobe) {
            if (total.chunks[lobe] == 0) continue;
            const std::uint32_t* const of_lobe = met.get() + lobe * chunks;
            const std::uint32_t vertex = lobe == 0 ? 0 : total.vertices[0];
            const std::uint32_t triangle = lobe == 0 ? 0 : total.triangles[0];
            run_blocks(total.chunks[lobe],
                       PlaceVertices<Real, 1>{grid, frame, lobe, of_lobe, before.get(),
                                              first_vertex.get(), vertices[0].data() + 3 * vertex,
                                              owners.get() + vertex});
            run_blocks(total.chunks[lobe],
                       FillTriangles<Real, 1>{grid, &marching_cubes_table, lobe, vertex, of_lobe,
                                              before.get(), first_vertex.get(),
                                              triangles[0].data() + 3 * triangle});
        }
    }
};

}  // namespace

template <class Real>
void grid_isosurface(const UniformGrid& grid, const PointBlock& block, const Real* values,
                     double level, const std::function<void(const SurfaceView& view)>& take) {
    const HostSurface<Real> surface(
        {values, block.shape[0], block.shape[1], block.shape[2], static_cast<Real>(level)},
        TileFrame(grid, block, {1, 1, 1}));
    take({surface.vertices,
          {},
          surface.triangles,
          surface.total.vertices[0],
          surface.total.triangles[0]});
}

template void grid_isosurface<float>(const UniformGrid&, const PointBlock&, const float*, double,
                                     const std::function<void(const SurfaceView&)>&);
template void grid_isosurface<double>(const UniformGrid&, const PointBlock&, const double*, double,
                                      const std::function<void(const SurfaceView&)>&);

}  // namespace tessera::kernels
