#include "io/pictures/drawing.hpp"

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "io/scenes/atoms_and_bonds.hpp"

namespace tessera::io {

namespace {

void add_atoms(Drawing& drawing, const std::vector<Nucleus>& nuclei, const Camera& camera,
               double samples) {
    const double samples_an_angstrom = samples * camera.scale / units::bohr_in_angstrom;
    const auto place = [&](const Nucleus& nucleus) {
        return samples * camera.place(nucleus.position);
    };
    for (const Nucleus& nucleus : nuclei)
        if (nucleus.charge > 0)
            drawing.balls.push_back({place(nucleus),
                                     samples_an_angstrom * drawn_atom_radius(nucleus.charge),
                                     color_of(element_color(nucleus.charge))});
    for (const auto& [i, j] : bonds_of(nuclei)) {
        const Vec3 from = place(nuclei[i]), to = place(nuclei[j]), middle = 0.5 * (from + to);
        const double radius = samples_an_angstrom * drawn_bond_radius;
        drawing.rods.push_back({from, middle, radius, color_of(element_color(nuclei[i].charge))});
        drawing.rods.push_back({middle, to, radius, color_of(element_color(nuclei[j].charge))});
    }
}

Normal turned(const Matrix3& axes, const std::array<float, 3>& normal) {
    const Vec3 n = axes * Vec3{normal[0], normal[1], normal[2]};
    return {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
}

}  // namespace

Skin::Skin(float opacity) {
    constexpr float least = 0.2f;  // of z: outlines stay thin
    for (std::size_t i = 0; i < table_.size(); ++i)
        table_[i] = 1 - std::pow(1 - opacity, 1 / std::max(static_cast<float>(i) / steps, least));
}

Drawing draw(const PictureScene& scene, const Camera& camera, double samples, float opacity) {
    Drawing drawing;
    drawing.skin = Skin(opacity);
    drawing.colored_by_value = !scene.values.empty();
    add_atoms(drawing, scene.nuclei, camera, samples);
    const Mesh& mesh = scene.surface;
    drawing.corners.reserve(mesh.vertices.size());
    drawing.faces.reserve(mesh.triangles.size());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const auto& vertex = mesh.vertices[v];
        drawing.corners.push_back({samples * camera.place({vertex[0], vertex[1], vertex[2]}),
                                   turned(camera.axes, mesh.normals[v]),
                                   drawing.colored_by_value ? scene.values[v] : 0});
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        drawing.faces.push_back({mesh.triangles[t], t < mesh.positive_triangles});
    return drawing;
}

}  // namespace tessera::io
