#include "io/scenes/glb_meshes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <span>

#include "core/units.hpp"
#include "io/scenes/atoms_and_bonds.hpp"
#include "io/scenes/shapes.hpp"

namespace tessera::io {

namespace {

using Json = GltfBuffer::Json;

/// Scenes have linear colours (IEC 61966-2-1).
double linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double linear_byte(int value) { return std::round(linear(value / 255.0) * 1e4) / 1e4; }

/// A rough plastic of a colour (sRGB, 0 to 255).
Json plastic(const std::string& name, const std::array<int, 3>& color, double opacity) {
    constexpr double roughness = 0.45;
    Json material{{"name", name}};
    material["pbrMetallicRoughness"] = {
        {"baseColorFactor",
         {linear_byte(color[0]), linear_byte(color[1]), linear_byte(color[2]), opacity}},
        {"metallicFactor", 0},
        {"roughnessFactor", roughness}};
    if (opacity < 1) material["alphaMode"] = "BLEND";
    return material;
}

/// Vertices in Angstrom, and normals of length 1.
Mesh in_angstrom(const Mesh& surface) {
    Mesh mesh;
    mesh.vertices = surface.vertices;
    mesh.normals = surface.normals;
    for (auto& vertex : mesh.vertices)
        for (float& x : vertex) x *= static_cast<float>(units::bohr_in_angstrom);
    for (auto& normal : mesh.normals) {
        const float length = std::hypot(normal[0], normal[1], normal[2]);
        if (length > 0)
            for (float& x : normal) x /= length;
        else
            normal = {0, 0, 1};
    }
    return mesh;
}

}  // namespace

std::size_t GlbMeshes::surface(const std::string& name, const Mesh& surface,
                               const VertexColors& colors) {
    constexpr double opacity = 0.75;
    Json attributes = vertices_of(in_angstrom(surface));
    if (!colors.values.empty()) {
        std::vector<std::array<float, 3>> light = colors.colors;
        for (auto& color : light)
            for (float& part : color) part = static_cast<float>(linear(part));
        attributes["COLOR_0"] = buffer_.add_vectors(light, true);
        attributes["_VALUE"] = buffer_.add_scalars(colors.values);
        constexpr std::array<int, 3> white{255, 255, 255};  // which the vertices colour
        Json primitives = Json::array();
        primitives.push_back({{"attributes", attributes},
                              {"indices", buffer_.add_triangles(surface.triangles)},
                              {"material", material("values", white, 1)}});
        return add(name, std::move(primitives));
    }
    const std::span<const std::array<std::uint32_t, 3>> all = surface.triangles;
    Json primitives = Json::array();
    const auto add_lobe = [&](std::span<const std::array<std::uint32_t, 3>> lobe, const char* sign,
                              const std::array<int, 3>& color) {
        if (lobe.empty()) return;
        primitives.push_back({{"attributes", attributes},
                              {"indices", buffer_.add_triangles(lobe)},
                              {"material", material(sign, color, opacity)}});
    };
    add_lobe(all.first(surface.positive_triangles), "positive", positive_color);
    add_lobe(all.subspan(surface.positive_triangles), "negative", negative_color);
    return add(name, std::move(primitives));
}

std::size_t GlbMeshes::atom(int atomic_number) { return shape("atom", ball, atomic_number); }

std::size_t GlbMeshes::bond(int atomic_number) { return shape("bond", rod, atomic_number); }

std::size_t GlbMeshes::shape(const std::string& kind, Mesh (*make)(), int atomic_number) {
    const std::string name = fmt::format("{} of element {}", kind, atomic_number);
    if (const auto known = mesh_of_.find(name); known != mesh_of_.end()) return known->second;
    Json& shared = shapes_[kind];
    if (shared.is_null()) {
        const Mesh mesh = make();
        shared["attributes"] = vertices_of(mesh);
        shared["indices"] = buffer_.add_triangles(mesh.triangles);
    }
    Json primitive = shared;
    primitive["material"] =
        material(fmt::format("element {}", atomic_number), element_color(atomic_number), 1);
    Json primitives = Json::array();
    primitives.push_back(std::move(primitive));
    return mesh_of_[name] = add(name, std::move(primitives));
}

Json GlbMeshes::vertices_of(const Mesh& mesh) {
    Json attributes;
    attributes["POSITION"] = buffer_.add_vectors(mesh.vertices, true);
    attributes["NORMAL"] = buffer_.add_vectors(mesh.normals, true);
    return attributes;
}

std::size_t GlbMeshes::material(const std::string& name, const std::array<int, 3>& color,
                                double opacity) {
    const auto [place, is_new] = material_of_.try_emplace(name, materials_.size());
    if (is_new) materials_.push_back(plastic(name, color, opacity));
    return place->second;
}

std::size_t GlbMeshes::add(const std::string& name, Json primitives) {
    meshes_.push_back({{"name", name}, {"primitives", std::move(primitives)}});
    return meshes_.size() - 1;
}

}  // namespace tessera::io
