#include "orbitals/selection/unused_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "orbitals/selection/density_field.hpp"
#include "orbitals/selection/vertex_field.hpp"

namespace tessera::orbitals {

namespace {

bool differ(Vec3 a, Vec3 b) { return a.x != b.x || a.y != b.y || a.z != b.z; }

std::vector<std::string> grid_options(const OrbitalInput& input) {
    const OrbitalInput defaults;
    std::vector<std::string> names;
    if (differ(input.spacing, defaults.spacing)) names.emplace_back("--spacing");
    if (input.padding != defaults.padding) names.emplace_back("--padding");
    if (input.origin) names.emplace_back("--origin");
    if (input.shape || input.cell_grid) names.emplace_back("--grid");
    return names;
}

bool computes_potential(const OrbitalInput& input) {
    using Kind = VertexField::Kind;
    if (asks_for_potential(input)) return true;
    if (input.vertex_fields.empty()) return false;
    const auto fields = parse_vertex_fields(input.vertex_fields, combination_names(input));
    return std::ranges::count(fields, Kind::potential, &VertexField::kind) > 0;
}

}  // namespace

bool computes_points_only(const OrbitalInput& input) {
    return !input.points.empty() && input.fields == potential_name && input.orbitals.empty() &&
           !input.energy_window && !input.density && !input.spin_density && !input.mean_density &&
           input.combine.empty();
}

std::vector<std::string> unused_options(const OrbitalInput& input) {
    std::vector<std::string> lines;
    const auto of_grid = grid_options(input);
    if (computes_points_only(input) && !of_grid.empty())
        lines.push_back(fmt::format(
            "{} with nothing but the potential at --points: there is no grid, so that nothing "
            "changes",
            fmt::join(of_grid, ", ")));
    if (input.potential_tolerance != OrbitalInput{}.potential_tolerance &&
        !computes_potential(input))
        lines.emplace_back("--esp-tolerance without --esp: there is no potential, so that nothing "
                           "changes");
    if (input.deflate > 0 && !input.grids && !input.mean_density)
        lines.emplace_back("--compress without grids: this run writes none, so that nothing "
                           "changes");
    return lines;
}

}  // namespace tessera::orbitals
