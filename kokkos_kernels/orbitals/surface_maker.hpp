// Both lobes of an orbital's isosurface: memory and launches for isosurface.hpp and
// vertex_normals.hpp.
#pragma once

#include <algorithm>

#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/isosurface.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "kokkos_kernels/orbitals/vertex_normals.hpp"

namespace tessera::kernels {

template <class Real, class Device>
class SurfaceMaker {
    using Space = typename Device::execution_space;
    static constexpr int threads = is_host<Device> ? 1 : LevelGrid<Real>::chunk;

  public:
    /// Makes vertices and triangles on the device, and waits for their number.
    void extract(const Space& space, const LevelGrid<Real>& grid, const TileFrame& frame) {
        const std::int64_t chunks = grid.chunks();
        if (cubes_ == nullptr)
            cubes_ =
                cube_buffer_.upload(space, "tessera::orbitals::cubes", &marching_cubes_table, 1);
        std::uint64_t* counts = counts_.get(space, "tessera::orbitals::chunk_counts", chunks);
        SurfaceCounts* before = before_.get(space, "tessera::orbitals::before_chunks", chunks);
        std::uint32_t* met = met_.get(space, "tessera::orbitals::chunks_met", 2 * chunks);
        launch_blocks("tessera::orbitals::count_chunks", space, static_cast<int>(chunks),
                      CountChunks<Real, threads>{grid, cubes_, counts});
        total_ = {};
        Kokkos::parallel_scan(
            "tessera::orbitals::scan_chunks",
            Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, chunks),
            ScanChunks<Real>{counts, chunks, before, met}, total_);
        if (triangles() == 0) return;
        std::uint32_t* first_vertex =
            first_vertex_.get(space, "tessera::orbitals::first_vertex", grid.points());
        vertex_data_ = vertices_.get(space, "tessera::orbitals::vertices", roomy(3 * vertices()));
        normal_data_ = normals_.get(space, "tessera::orbitals::normals", roomy(3 * vertices()));
        owner_data_ = owners_.get(space, "tessera::orbitals::owners", roomy(vertices()));
        triangle_data_ =
            triangles_.get(space, "tessera::orbitals::triangles", roomy(3 * triangles()));
        for (int lobe = 0; lobe < 2; ++lobe)
            fill(space, grid, frame, lobe, {met + lobe * chunks, before, first_vertex});
    }

    /// Launches `kernel` on all vertices. It is called once for each pass of lists.
    template <class Shape>
    void normals(const Space& space, VertexNormals<Real, Shape> kernel) const {
        if (triangles() == 0) return;
        kernel.positive = total_.vertices[0];
        kernel.owners = owner_data_;
        kernel.vertices = vertex_data_;
        kernel.normals = normal_data_;
        Kokkos::parallel_for("tessera::orbitals::vertex_normals",
                             Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                                 space, 0, static_cast<std::int64_t>(vertices())),
                             kernel);
    }

    /// The surface in host memory. It is valid after the caller has waited for the device.
    SurfaceView download(const Space& space) {
        if (triangles() == 0) return {};
        using Row = std::array<float, 3>;
        using Triangle = std::array<std::uint32_t, 3>;
        const float* vertex = host_vertices_.template download<Device>(
            space, "tessera::orbitals::host_vertices", vertex_data_, 3 * vertices());
        const float* normal = host_normals_.template download<Device>(
            space, "tessera::orbitals::host_normals", normal_data_, 3 * vertices());
        const std::uint32_t* triangle = host_triangles_.template download<Device>(
            space, "tessera::orbitals::host_triangles", triangle_data_, 3 * triangles());
        return {{reinterpret_cast<const Row*>(vertex), vertices()},
                {reinterpret_cast<const Row*>(normal), vertices()},
                {reinterpret_cast<const Triangle*>(triangle), triangles()},
                total_.vertices[0],
                total_.triangles[0]};
    }

  private:
    std::size_t vertices() const { return std::size_t{total_.vertices[0]} + total_.vertices[1]; }
    std::size_t triangles() const { return std::size_t{total_.triangles[0]} + total_.triangles[1]; }

    /// Leaves room, because frames of a trajectory differ a little in size and memory should not
    /// grow with each.
    static std::size_t roomy(std::size_t size) { return size + size / 4; }

    /// Where the vertices and triangles of a lobe go.
    struct Places {
        const std::uint32_t* met;     ///< chunks that the lobe meets
        const SurfaceCounts* before;  ///< [chunk] what the chunks before it hold
        std::uint32_t* first_vertex;  ///< [point]
    };

    void fill(const Space& space, const LevelGrid<Real>& grid, const TileFrame& frame, int lobe,
              const Places& at) {
        const int chunks = static_cast<int>(total_.chunks[lobe]);
        if (chunks == 0) return;
        const std::size_t vertex = lobe == 0 ? 0 : total_.vertices[0];
        const std::size_t triangle = lobe == 0 ? 0 : total_.triangles[0];
        launch_blocks("tessera::orbitals::place_vertices", space, chunks,
                      PlaceVertices<Real, threads>{grid, frame, lobe, at.met, at.before,
                                                   at.first_vertex, vertex_data_ + 3 * vertex,
                                                   owner_data_ + vertex});
        launch_blocks("tessera::orbitals::fill_triangles", space, chunks,
                      FillTriangles<Real, threads>{
                          grid, cubes_, lobe, static_cast<std::uint32_t>(vertex), at.met, at.before,
                          at.first_vertex, triangle_data_ + 3 * triangle});
    }

    SurfaceCounts total_;
    const MarchingCubesTable* cubes_ = nullptr;
    float *vertex_data_ = nullptr, *normal_data_ = nullptr;
    std::int64_t* owner_data_ = nullptr;
    std::uint32_t* triangle_data_ = nullptr;
    Buffer<MarchingCubesTable, Device> cube_buffer_;
    Buffer<std::uint64_t, Device> counts_;
    Buffer<SurfaceCounts, Device> before_;
    Buffer<std::uint32_t, Device> met_, first_vertex_, triangles_;
    Buffer<float, Device> vertices_, normals_;
    Buffer<std::int64_t, Device> owners_;
    PinnedBuffer<float> host_vertices_, host_normals_;
    PinnedBuffer<std::uint32_t> host_triangles_;
};

}  // namespace tessera::kernels
