// Tiles of isosurfaces (OrbitalWorkload, declared in workload.hpp).
#include <algorithm>
#include <utility>

#include "orbitals/tiles/stopwatch.hpp"
#include "orbitals/tiles/workload.hpp"

namespace tessera::orbitals {

void OrbitalWorkload::make_surface(const OrbitalWork& work, bool one_by_one) {
    surface_of_orbital(work, work.first, work.first, one_by_one);
}

void OrbitalWorkload::make_density_surface(const OrbitalWork& work, bool one_by_one) {
    if (work.kind == TileKind::spin_density_surface)
        surface_of_density(work, spin_density_item, {spin_rows_, spin_weights_},
                           input_.double_precision, one_by_one);
    else
        surface_of_density(work, density_item, {density_rows_, density_weights_},
                           input_.double_precision, one_by_one);
}

void OrbitalWorkload::surface_of_orbital(const OrbitalWork& work, std::int32_t item, int row,
                                         bool one_by_one) {
    // A retry takes thinner slabs.
    const std::int64_t planes = one_by_one ? std::min<std::int64_t>(work.planes, 17)
                                           : choose_surface_planes(prepared_.grid.shape);
    const Stopwatch watch(evaluation_seconds_);
    orbitals::make_surface(evaluator_, prepared_.grid.shape, row, prepared_.orbital_level, planes,
                           [&](const kernels::SurfaceView& view) {
                               std::vector<double> scalars;
                               if (!prepared_.vertex_fields.empty())
                                   scalars = VertexValues(*sinks_.points, prepared_, work.frame,
                                                          sinks_.potential)
                                                 .scalars(item, view.vertices);
                               sinks_.surfaces(work.frame, item, view, scalars);
                           });
}

void OrbitalWorkload::surface_of_density(const OrbitalWork& work, std::int32_t item,
                                         const DensityRows& density, bool in_double,
                                         bool one_by_one) {
    DensitySlabs slabs = choose_density_slabs(prepared_.grid.shape, in_double);
    if (one_by_one) slabs.at_once = 16;  // a retry
    const Stopwatch watch(evaluation_seconds_);
    SurfaceMesh mesh;
    if (!density.rows.empty())  // a closed shell has no spin density
        mesh = orbitals::make_density_surface(evaluator_, prepared_.grid, density,
                                              prepared_.density_level, slabs);
    const VertexValues values(*sinks_.points, prepared_, work.frame, sinks_.potential);
    auto own = values.of_surface(item, mesh.vertices);
    mesh.normals = outward_normals(own, mesh.positive_vertices);
    sinks_.surfaces(work.frame, item, mesh.view(),
                    values.scalars(item, mesh.vertices, std::move(own)));
}

}  // namespace tessera::orbitals
