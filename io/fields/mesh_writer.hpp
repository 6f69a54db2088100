// Triangle meshes for visualisation programs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::io {

/// Vertices in bohr and unit normals. Triangles hold indices into both.
struct Mesh {
    std::string title;
    std::vector<std::array<float, 3>> vertices, normals;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::uint64_t positive_triangles = 0;  ///< number of leading triangles of the positive lobe
    struct Field {
        std::string name;
        std::vector<double> values;  ///< of each vertex
        std::string units = {};
    };
    std::vector<Field> fields = {};
};

/// The colours of the lobes: red, green and blue from 0 to 255.
inline constexpr std::array<int, 3> positive_color{50, 90, 220}, negative_color{220, 60, 50};

/// Throws Error, "cannot write PATH", if the parts of the surface do not match.
void check_mesh(const std::string& path, const Mesh& mesh);

/// Binary little-endian PLY, lengths in Angstrom. Vertices carry normals and a colour by lobe
/// (positive blue, negative red), and fields as float properties of their name. Throws Error for
/// indices beyond the vertices.
void write_ply(const std::string& path, const Mesh& mesh);

/// Wavefront OBJ, lengths in Angstrom, with one group for each lobe. The format has no place for
/// fields.
void write_obj(const std::string& path, const Mesh& mesh);

}  // namespace tessera::io
