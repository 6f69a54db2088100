#include "io/scenes/gltf_buffer.hpp"

#include <algorithm>
#include <bit>

namespace tessera::io {

namespace {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

constexpr int of_vertex_data = 34962, of_indices = 34963;  // targets
constexpr int as_float = 5126, as_uint32 = 5125;

}  // namespace

std::size_t GltfBuffer::add(const void* data, std::size_t bytes, std::size_t count,
                            const Use& use) {
    Json view{{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", bytes}};
    if (use.target != 0) view["target"] = use.target;
    accessors_.push_back({{"bufferView", views_.size()},
                          {"componentType", use.component},
                          {"count", count},
                          {"type", use.type}});
    views_.push_back(std::move(view));
    bytes_.append(static_cast<const char*>(data), bytes);  // all sizes are multiples of 4
    return accessors_.size() - 1;
}

std::size_t GltfBuffer::add_vectors(const std::vector<std::array<float, 3>>& vectors,
                                    bool of_vertices) {
    const std::size_t accessor =
        add(vectors.data(), vectors.size() * sizeof(vectors[0]), vectors.size(),
            {of_vertices ? of_vertex_data : 0, as_float, "VEC3"});
    std::array<float, 3> least = vectors[0], most = vectors[0];
    for (const auto& vector : vectors)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            least[axis] = std::min(least[axis], vector[axis]);
            most[axis] = std::max(most[axis], vector[axis]);
        }
    accessors_.back()["min"] = least;
    accessors_.back()["max"] = most;
    return accessor;
}

std::size_t GltfBuffer::add_scalars(const std::vector<float>& values) {
    const std::size_t accessor = add(values.data(), values.size() * sizeof(float), values.size(),
                                     {of_vertex_data, as_float, "SCALAR"});
    const auto [least, most] = std::ranges::minmax(values);
    accessors_.back()["min"] = {least};
    accessors_.back()["max"] = {most};
    return accessor;
}

std::size_t GltfBuffer::add_triangles(std::span<const std::array<std::uint32_t, 3>> triangles) {
    return add(triangles.data(), triangles.size_bytes(), triangles.size() * 3,
               {of_indices, as_uint32, "SCALAR"});
}

std::size_t GltfBuffer::add_times(const std::vector<float>& seconds) {
    const std::size_t accessor = add(seconds.data(), seconds.size() * sizeof(float), seconds.size(),
                                     {0, as_float, "SCALAR"});
    accessors_.back()["min"] = {seconds.front()};
    accessors_.back()["max"] = {seconds.back()};
    return accessor;
}

}  // namespace tessera::io
