// Isosurfaces of orbitals, densities and combinations (declared in orbital_evaluation.hpp).
#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "orbital_evaluation.hpp"
#include "orbitals/tiles/combined_values.hpp"
#include "process_device.hpp"

namespace tessera::python {

namespace {

void require_level(double isovalue) {
    if (isovalue > 0 && std::isfinite(isovalue)) return;
    throw Error("isovalue is " + fmt::format("{:g}", isovalue),
                "a surface lies where the values reach a level above 0", "choose another");
}

}  // namespace

orbitals::PreparedOrbitals OrbitalEvaluation::prepared_surface(const std::string& orbital,
                                                               const SurfaceRequest& request,
                                                               const UniformGrid& grid) const {
    auto input = input_;
    input.isosurface = request.isovalue;
    input.vertex_fields = request.vertex_fields;
    input.density = orbital == "density";
    input.spin_density = orbital == "spin_density";
    const bool of_density = input.density || input.spin_density;
    if (of_density) require_level(request.isovalue);
    if (!of_density) input.orbitals = orbital;
    auto prepared = prepared_for(input, grid, read_);
    if (const auto items = prepared.selection.size(); !of_density && items != 1)
        throw Error("'" + orbital + "' names " + std::to_string(items) + " orbitals",
                    "a surface belongs to one", "name one orbital");
    return prepared;
}

OrbitalEvaluation::Surface
OrbitalEvaluation::complete_surface(const orbitals::PreparedOrbitals& prepared, std::int32_t item,
                                    const std::function<orbitals::SurfaceMesh()>& make) {
    Surface surface;
    for (const auto& field : prepared.vertex_fields) surface.fields.push_back(field.name);
    compute([&] {
        std::optional<orbitals::FramePotential> potential;
        if (orbitals::has_potential(prepared))
            potential.emplace(kernels::make_potential_evaluator(running_device().backend), prepared,
                              input_.potential_tolerance);
        const orbitals::VertexValues values(*points_, prepared, 0,
                                            potential ? &*potential : nullptr);
        orbitals::SurfaceMesh& mesh = surface.mesh;
        mesh = make();
        std::vector<kernels::PointValue> own;
        if (mesh.normals.empty()) {
            own = values.of_surface(item, mesh.vertices);
            mesh.normals = orbitals::outward_normals(own, mesh.positive_vertices);
        }
        surface.scalars = values.scalars(item, mesh.vertices, std::move(own));
    });
    return surface;
}

OrbitalEvaluation::Surface OrbitalEvaluation::isosurface(const std::string& orbital,
                                                         const SurfaceRequest& request,
                                                         const UniformGrid& grid) {
    const auto prepared = prepared_surface(orbital, request, grid);
    if (!prepared.selection.empty())
        return complete_surface(prepared, 0, [&] {
            load(grid, wavefunction(), {prepared.frames[0].items[0].orbital},
                 input_.double_precision);
            return orbital_mesh(grid, request.isovalue);
        });
    const bool of_spin = orbital == "spin_density";
    const auto plan = plan_for(of_spin ? Kind::spin_density : Kind::density, "", grid);
    return complete_surface(prepared,
                            of_spin ? orbitals::spin_density_item : orbitals::density_item,
                            [&] { return density_mesh(plan, request.isovalue); });
}

OrbitalEvaluation::Surface
OrbitalEvaluation::combination_isosurface(const CombinationRequest& combination,
                                          const SurfaceRequest& request, const UniformGrid& grid) {
    auto input = input_;
    input.isosurface = request.isovalue;
    input.vertex_fields = request.vertex_fields;
    require_level(request.isovalue);
    const auto prepared = prepared_combination(combination, input, grid);
    const auto rows = orbitals::combine(prepared, 0, 0);
    return complete_surface(prepared, orbitals::combination_item(0), [&] {
        if (rows.weights.empty()) return orbitals::SurfaceMesh();  // densities that cancel
        load_combination(grid, rows);
        if (!rows.of_squares) return orbital_mesh(grid, request.isovalue);
        const auto all = orbitals::all_rows(rows);
        return orbitals::make_density_surface(*evaluator_, grid, {all, rows.weights},
                                              request.isovalue,
                                              orbitals::choose_density_slabs(grid.shape, true));
    });
}

/// Of the first orbital that is loaded.
orbitals::SurfaceMesh OrbitalEvaluation::orbital_mesh(const UniformGrid& grid, double isovalue) {
    orbitals::SurfaceMesh mesh;
    orbitals::make_surface(
        *evaluator_, grid.shape, 0, isovalue, orbitals::choose_surface_planes(grid.shape),
        [&](const kernels::SurfaceView& view) { mesh = orbitals::SurfaceMesh(view); });
    return mesh;
}

orbitals::SurfaceMesh OrbitalEvaluation::density_mesh(const std::shared_ptr<const Plan>& plan,
                                                      double isovalue) {
    std::vector<int> rows(plan->orbitals.size());
    std::iota(rows.begin(), rows.end(), 0);
    if (rows.empty()) return {};  // a closed shell has no spin density
    load(plan);
    return orbitals::make_density_surface(
        *evaluator_, plan->grid, {rows, plan->weights}, isovalue,
        orbitals::choose_density_slabs(plan->grid.shape, in_double()));
}

}  // namespace tessera::python
