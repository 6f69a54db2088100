// The binary part of a glTF file and its description (glTF 2.0, section 3.6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::io {

/// Each function adds an array and returns the number of its accessor. No array may be empty.
class GltfBuffer {
  public:
    using Json = nlohmann::ordered_json;

    std::size_t add_vectors(const std::vector<std::array<float, 3>>& vectors, bool of_vertices);
    std::size_t add_scalars(const std::vector<float>& values);  ///< of vertices
    std::size_t add_triangles(std::span<const std::array<std::uint32_t, 3>> triangles);
    std::size_t add_times(const std::vector<float>& seconds);

    const Json& accessors() const { return accessors_; }
    const Json& views() const { return views_; }
    const std::string& bytes() const { return bytes_; }
    /// The bytes of all arrays. Call it last.
    std::string take_bytes() { return std::move(bytes_); }

  private:
    struct Use {
        int target = 0;  ///< of the view; 0: none
        int component = 0;
        const char* type = "";
    };
    std::size_t add(const void* data, std::size_t bytes, std::size_t count, const Use& use);

    std::string bytes_;
    Json views_ = Json::array(), accessors_ = Json::array();
};

}  // namespace tessera::io
