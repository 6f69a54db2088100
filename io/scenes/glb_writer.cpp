#include "io/scenes/glb_writer.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/units.hpp"
#include "core/vec3.hpp"
#include "io/files/input_file.hpp"
#include "io/files/whole_file.hpp"
#include "io/scenes/atoms_and_bonds.hpp"
#include "io/scenes/glb_animation.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

using Json = GltfBuffer::Json;

/// Six digits after the point, and no negative zero.
double rounded(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }

Json triple(Vec3 v) { return {rounded(v.x), rounded(v.y), rounded(v.z)}; }

Vec3 place_of(const Nucleus& nucleus) { return units::bohr_in_angstrom * nucleus.position; }

/// The rotation that turns z into the direction of a unit vector, as x, y, z, w.
Json turned_from_z(Vec3 to) {
    const double w = 1 + to.z, length = std::sqrt(to.x * to.x + to.y * to.y + w * w);
    if (w < 1e-12) return {1, 0, 0, 0};
    return {rounded(-to.y / length), rounded(to.x / length), 0, rounded(w / length)};
}

Json atom_node(GlbMeshes& meshes, const Nucleus& nucleus) {
    const double radius = drawn_atom_radius(nucleus.charge);
    return {{"name", one_line(nucleus.symbol)},
            {"mesh", meshes.atom(nucleus.charge)},
            {"translation", triple(place_of(nucleus))},
            {"scale", triple({radius, radius, radius})}};
}

/// The rod from an atom to the middle of its bond.
Json half_bond_node(GlbMeshes& meshes, const Nucleus& from, const Nucleus& to) {
    const Vec3 way = place_of(to) - place_of(from);
    const double length = norm(way);
    return {{"name", one_line(from.symbol) + "-" + one_line(to.symbol)},
            {"mesh", meshes.bond(from.charge)},
            {"translation", triple(place_of(from))},
            {"rotation", turned_from_z(1 / length * way)},
            {"scale", triple({drawn_bond_radius, drawn_bond_radius, length / 2})}};
}

/// Adds what a frame shows, and the node of the frame itself, whose number it returns.
std::size_t add_frame(Json& nodes, GlbMeshes& meshes, const SceneFrame& frame,
                      const std::string& surface) {
    Json children = Json::array();
    const auto add = [&](Json node) {
        children.push_back(nodes.size());
        nodes.push_back(std::move(node));
    };
    if (!frame.surface.triangles.empty())
        add({{"name", surface}, {"mesh", meshes.surface(surface, frame.surface, frame.colors)}});
    for (const Nucleus& nucleus : frame.nuclei)
        if (nucleus.charge > 0) add(atom_node(meshes, nucleus));
    for (const auto& [i, j] : bonds_of(frame.nuclei)) {
        add(half_bond_node(meshes, frame.nuclei[i], frame.nuclei[j]));
        add(half_bond_node(meshes, frame.nuclei[j], frame.nuclei[i]));
    }
    Json node{{"name", frame.name}};
    if (!children.empty()) node["children"] = std::move(children);
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
}

void check_colors(const std::string& path, const SceneFrame& frame) {
    const std::size_t count = frame.colors.values.size();
    if (frame.colors.colors.size() != count ||
        (count > 0 && count != frame.surface.vertices.size()))
        throw Error("cannot write '" + path + "'",
                    "the surface has other vertices than its colours", "please report this",
                    ExitCode::internal);
}

struct GlbParts {
    std::string text, bytes;
};

GlbParts parts_of(const std::string& path, const Scene& scene) {
    GlbMeshes meshes;
    Json nodes = Json::array();
    std::vector<std::size_t> frames;
    for (std::size_t i = 0; i < scene.frames; ++i) {
        const SceneFrame frame = scene.frame(i);
        check_mesh(path, frame.surface);
        check_colors(path, frame);
        frames.push_back(add_frame(nodes, meshes, frame, one_line(scene.surface)));
        if (i > 0) nodes.back()["scale"] = {0, 0, 0};
    }
    Json text{
        {"asset",
         {{"version", "2.0"}, {"generator", "tessera"}, {"extras", {{"length_unit", "angstrom"}}}}},
        {"scene", 0}};
    text["scenes"] = Json::array();
    text["scenes"].push_back({{"name", one_line(scene.title)}, {"nodes", frames}});
    if (frames.size() > 1) {
        text["animations"] = Json::array();
        text["animations"].push_back(step_animation(frames, seconds_of_frame, meshes.buffer()));
    }
    text["nodes"] = std::move(nodes);
    const std::size_t bytes = meshes.buffer().bytes().size();
    if (bytes > 0) {  // glTF has no empty lists
        text["meshes"] = meshes.meshes();
        text["materials"] = meshes.materials();
        text["accessors"] = meshes.buffer().accessors();
        text["bufferViews"] = meshes.buffer().views();
        text["buffers"] = Json::array();
        text["buffers"].push_back({{"byteLength", bytes}});
    }
    return {text.dump(-1, ' ', false, Json::error_handler_t::replace),
            meshes.buffer().take_bytes()};
}

template <std::size_t n>
void write_numbers(WholeFile& file, const std::array<std::uint32_t, n>& numbers) {
    static_assert(std::endian::native == std::endian::little, "glTF is little-endian");
    file.write({reinterpret_cast<const char*>(numbers.data()), sizeof(numbers)});
}

}  // namespace

void write_glb(const std::string& path, const Scene& scene) {
    constexpr std::uint32_t magic = 0x46546c67, version = 2, json = 0x4e4f534a, binary = 0x004e4942;
    GlbParts parts = parts_of(path, scene);
    parts.text.append((4 - parts.text.size() % 4) % 4, ' ');  // the binary part has whole words
    const std::uint64_t binary_bytes = parts.bytes.empty() ? 0 : 8 + parts.bytes.size();
    const std::uint64_t total = 12 + 8 + parts.text.size() + binary_bytes;
    if (total > std::numeric_limits<std::uint32_t>::max())
        throw Error("cannot write '" + path + "'", "glTF files have less than 4 GiB",
                    "compute fewer frames, or coarser surfaces with a larger --spacing");
    WholeFile file(path);
    write_numbers(file, std::array{magic, version, static_cast<std::uint32_t>(total)});
    write_numbers(file, std::array{static_cast<std::uint32_t>(parts.text.size()), json});
    file.write(parts.text);
    if (binary_bytes > 0) {
        write_numbers(file, std::array{static_cast<std::uint32_t>(parts.bytes.size()), binary});
        file.write(parts.bytes);
    }
    file.commit();
}

bool is_glb_export(const std::string& path) {
    const std::string beginning = beginning_of(path);
    return beginning.starts_with("glTF") &&
           beginning.find(R"({"asset":{"version":"2.0","generator":"tessera",)") == 20;
}

}  // namespace tessera::io
