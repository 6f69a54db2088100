#include "io/fields/mesh_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/files/whole_file.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

static_assert(std::endian::native == std::endian::little,
              "PLY is written in the byte order of memory");

constexpr float scale = static_cast<float>(units::bohr_in_angstrom);

template <class T>
void append(std::string& bytes, const T& value) {
    const auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    bytes.append(raw.data(), raw.size());
}

/// Names of properties end at a blank.
std::string property_name(const std::string& name) {
    std::string word = one_line(name);
    std::ranges::replace(word, ' ', '_');
    return word;
}

/// True for vertices of the negative lobe.
std::vector<bool> negative_vertices(const Mesh& mesh) {
    std::vector<bool> negative(mesh.vertices.size(), false);
    for (std::size_t t = mesh.positive_triangles; t < mesh.triangles.size(); ++t)
        for (const std::uint32_t vertex : mesh.triangles[t]) negative[vertex] = true;
    return negative;
}

}  // namespace

void check_mesh(const std::string& path, const Mesh& mesh) {
    bool fits = mesh.normals.size() == mesh.vertices.size() &&
                mesh.positive_triangles <= mesh.triangles.size();
    for (const Mesh::Field& field : mesh.fields)
        fits = fits && field.values.size() == mesh.vertices.size();
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t vertex : triangle) fits = fits && vertex < mesh.vertices.size();
    if (!fits)
        throw Error("cannot write '" + path + "'", "the parts of the surface do not match",
                    "check that Tessera wrote the file");
}

void write_ply(const std::string& path, const Mesh& mesh) {
    check_mesh(path, mesh);
    WholeFile file(path);
    std::string bytes = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment {}\ncomment lengths in Angstrom\n"
        "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
        "property float nx\nproperty float ny\nproperty float nz\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\n",
        one_line(mesh.title), mesh.vertices.size());
    for (const Mesh::Field& field : mesh.fields)
        bytes += "property float " + property_name(field.name) + "\n";
    bytes += fmt::format("element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
                         mesh.triangles.size());
    const std::vector<bool> negative = negative_vertices(mesh);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        for (const float x : mesh.vertices[v]) append(bytes, scale * x);
        for (const float n : mesh.normals[v]) append(bytes, n);
        for (const int c : negative[v] ? negative_color : positive_color)
            append(bytes, static_cast<unsigned char>(c));
        for (const Mesh::Field& field : mesh.fields)
            append(bytes, static_cast<float>(field.values[v]));
    }
    for (const auto& triangle : mesh.triangles) {
        bytes += '\3';
        append(bytes, triangle);
    }
    file.write(bytes);
    file.commit();
}

void write_obj(const std::string& path, const Mesh& mesh) {
    check_mesh(path, mesh);
    WholeFile file(path);
    std::string text = "# " + one_line(mesh.title) + "\n# lengths in Angstrom\n";
    auto out = std::back_inserter(text);
    for (const auto& v : mesh.vertices)
        fmt::format_to(out, "v {:.6f} {:.6f} {:.6f}\n", scale * v[0], scale * v[1], scale * v[2]);
    for (const auto& n : mesh.normals)
        fmt::format_to(out, "vn {:.5f} {:.5f} {:.5f}\n", n[0], n[1], n[2]);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (t == 0 && mesh.positive_triangles > 0) text += "g positive\n";
        if (t == mesh.positive_triangles) text += "g negative\n";
        const auto& f = mesh.triangles[t];
        fmt::format_to(out, "f {0}//{0} {1}//{1} {2}//{2}\n", f[0] + 1, f[1] + 1, f[2] + 1);
    }
    file.write(text);
    file.commit();
}

}  // namespace tessera::io
