// Triangle meshes for drawing programs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::io {

/// Vertices in bohr, unit normals, triangles as indices into both.
struct Mesh {
    std::string title;
    std::vector<std::array<float, 3>> vertices, normals;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::uint64_t positive_triangles = 0;  ///< the first so many belong to the positive lobe
};

/// Binary little-endian PLY, lengths in Angstrom; vertices carry normals and a colour by lobe (positive
/// blue, negative red). Throws Error for indices beyond the vertices.
void write_ply(const std::string& path, const Mesh& mesh);

/// Wavefront OBJ, lengths in Angstrom; one group a lobe.
void write_obj(const std::string& path, const Mesh& mesh);

}  // namespace tessera::io
