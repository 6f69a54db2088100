// The meshes and materials of a glTF scene.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "io/fields/mesh_writer.hpp"
#include "io/scenes/gltf_buffer.hpp"

namespace tessera::io {

/// A value of each vertex and the colour that stands for it, red, green and blue from 0 to 1 as on
/// a screen (sRGB). Or nothing.
struct VertexColors {
    std::vector<float> values;
    std::vector<std::array<float, 3>> colors;
};

/// Each function returns the number of a mesh.
class GlbMeshes {
  public:
    using Json = GltfBuffer::Json;

    /// Two lobes through which one looks, or a surface in the colours of its vertices. The mesh
    /// must have triangles.
    std::size_t surface(const std::string& name, const Mesh& surface, const VertexColors& colors);
    /// A ball or a rod (shapes.hpp) in the colour of an element. All elements share the numbers.
    std::size_t atom(int atomic_number);
    std::size_t bond(int atomic_number);

    GltfBuffer& buffer() { return buffer_; }
    const Json& meshes() const { return meshes_; }
    const Json& materials() const { return materials_; }

  private:
    std::size_t shape(const std::string& kind, Mesh (*make)(), int atomic_number);
    Json vertices_of(const Mesh& mesh);
    std::size_t material(const std::string& name, const std::array<int, 3>& color, double opacity);
    std::size_t add(const std::string& name, Json primitives);

    GltfBuffer buffer_;
    Json meshes_ = Json::array(), materials_ = Json::array();
    std::map<std::string, std::size_t> material_of_, mesh_of_;
    std::map<std::string, Json> shapes_;
};

}  // namespace tessera::io
