#include "orbitals/result/surface_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/error.hpp"

namespace tessera::orbitals {

namespace {

const Combination* combination_at(const PreparedOrbitals& prepared, std::int32_t item) {
    const std::int32_t index = combination_of(item);
    return index < 0 ? nullptr : &prepared.combinations[static_cast<std::size_t>(index)];
}

bool is_of_density(const PreparedOrbitals& prepared, std::int32_t item) {
    const Combination* combination = combination_at(prepared, item);
    return combination ? !combination->of_orbitals() : item < 0;
}

std::string units_of(const PreparedOrbitals& prepared, const VertexField& field,
                     bool surface_of_density) {
    const VertexField::Kind kind = field.kind;
    if (kind == VertexField::Kind::combination)
        return prepared.combinations[static_cast<std::size_t>(field.combination)].units();
    if (kind == VertexField::Kind::potential) return potential_units;
    if (kind == VertexField::Kind::derived)
        return std::ranges::find(density_fields(), field.name, &DensityField::name)->units;
    if (kind == VertexField::Kind::orbital) return "bohr^-3/2";
    if (kind != VertexField::Kind::gradient_norm) return "bohr^-3";
    return surface_of_density ? "bohr^-4" : "bohr^-5/2";
}

template <class T>
std::span<const T> flat(std::span<const std::array<T, 3>> rows) {
    return {rows.empty() ? nullptr : rows[0].data(), rows.size() * 3};
}

}  // namespace

SurfacePlace place_of_surface(const OrbitalWork& tile) {
    switch (tile.kind) {
        case TileKind::density_surface: return {tile.frame, density_item};
        case TileKind::spin_density_surface: return {tile.frame, spin_density_item};
        case TileKind::combination_surface: return {tile.frame, combination_item(tile.first)};
        default: return {tile.frame, tile.first};
    }
}

std::string label_of_surface(const PreparedOrbitals& prepared, std::int32_t item) {
    if (item == density_item) return "density";
    if (item == spin_density_item) return "spin_density";
    if (const Combination* combination = combination_at(prepared, item)) return combination->name;
    return prepared.selection[static_cast<std::size_t>(item)].label;
}

void write_surface(io::h5::Group root, const PreparedOrbitals& prepared, SurfacePlace place,
                   const kernels::SurfaceView& view, std::span<const double> scalars) {
    const bool of_density = is_of_density(prepared, place.item);
    const std::string name = fmt::format(
        "isosurfaces/{}/{}", prepared.frames[static_cast<std::size_t>(place.frame)].number,
        label_of_surface(prepared, place.item));
    if (root.contains(name)) return;  // an orbital asked for twice has one surface
    if (scalars.size() != prepared.vertex_fields.size() * view.vertices.size())
        throw Error("a surface in the journal is incomplete", "it lacks values of vertex fields",
                    "start over with --force", ExitCode::internal);
    io::h5::Group group = root.group(name);
    group.write_attribute("isovalue", of_density ? prepared.density_level : prepared.orbital_level);
    group.write_attribute("positive_vertices", view.positive_vertices);
    group.write_attribute("positive_triangles", view.positive_triangles);
    group.write("vertices", flat(view.vertices), {view.vertices.size(), 3}, {"bohr", {}, 0});
    group.write("normals", flat(view.normals), {view.normals.size(), 3});
    group.write("triangles", flat(view.triangles), {view.triangles.size(), 3});
    for (std::size_t i = 0; i < prepared.vertex_fields.size(); ++i) {
        const VertexField& field = prepared.vertex_fields[i];
        const std::size_t vertices = view.vertices.size();
        io::h5::DatasetOptions options;
        options.units = units_of(prepared, field, of_density);
        group.write("fields/" + field.name, scalars.subspan(i * vertices, vertices), {vertices},
                    options);
    }
}

}  // namespace tessera::orbitals
