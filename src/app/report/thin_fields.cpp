#include "app/report/thin_fields.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <vector>

#include "app/report/base64.hpp"
#include "core/units.hpp"
#include "io/hdf5/grid_file.hpp"

namespace tessera::app {

namespace {

using Json = nlohmann::ordered_json;
using Triangle = std::array<std::uint32_t, 3>;

constexpr std::int64_t most_points = 56;       ///< of a grid along an axis
constexpr std::size_t most_triangles = 30000;  ///< of a mesh

/// The nearest float that is finite.
float finite_float(double value) {
    constexpr double most = 3e38;
    return static_cast<float>(std::clamp(value, -most, most));
}

/// The upper half of a float, rounded: the range of floats with eight bits of precision. A scale
/// in equal steps would lose the small values of fields that are large near nuclei.
std::uint16_t upper_half(double value) {
    const auto bits = std::bit_cast<std::uint32_t>(finite_float(value));
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// A mesh whose triangles keep their order: those of the positive lobe first.
struct ThinMesh {
    std::vector<float> vertices, normals;
    std::vector<std::uint32_t> kept;  ///< the vertices of the whole mesh that stand for others
    std::vector<std::uint32_t> triangles;
    std::uint64_t positive_triangles = 0;
};

ThinMesh on_lattice(const io::Mesh& mesh, double cell) {
    ThinMesh thin;
    std::map<std::array<std::int64_t, 4>, std::uint32_t> known;
    const auto vertex = [&](std::uint32_t v, bool positive) {
        std::array<std::int64_t, 4> key{v, -1, -1, -1};
        if (cell > 0) {
            for (std::size_t a = 0; a < 3; ++a)
                key[a] = static_cast<std::int64_t>(
                    std::floor(static_cast<double>(mesh.vertices[v][a]) / cell));
            key[3] = positive ? 1 : 0;  // lobes stay apart
        }
        const auto [found, is_new] =
            known.try_emplace(key, static_cast<std::uint32_t>(known.size()));
        if (is_new) thin.kept.push_back(v);
        if (is_new)
            for (std::size_t a = 0; a < 3; ++a) {
                thin.vertices.push_back(
                    static_cast<float>(mesh.vertices[v][a] * units::bohr_in_angstrom));
                thin.normals.push_back(mesh.normals[v][a]);
            }
        return found->second;
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const bool positive = t < mesh.positive_triangles;
        Triangle corners{};
        for (std::size_t k = 0; k < 3; ++k) corners[k] = vertex(mesh.triangles[t][k], positive);
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
            continue;
        thin.triangles.insert(thin.triangles.end(), corners.begin(), corners.end());
        thin.positive_triangles += positive ? 1 : 0;
    }
    return thin;
}

}  // namespace

Json thin_grid(const io::h5::Dataset& dataset, std::int64_t number, const UniformGrid& grid) {
    const std::int64_t longest = *std::ranges::max_element(grid.shape);
    const std::int64_t step = std::max<std::int64_t>(1, (longest + most_points - 1) / most_points);
    const auto kept = [&](std::int64_t points) { return (points + step - 1) / step; };
    std::vector<std::uint16_t> values;
    for (std::int64_t z = 0; z < grid.shape[2]; z += step) {
        const auto plane =
            io::read_grid_box(dataset, number, {0, 0, z}, {grid.shape[0], grid.shape[1], 1});
        for (std::int64_t y = 0; y < grid.shape[1]; y += step)
            for (std::int64_t x = 0; x < grid.shape[0]; x += step) {
                const double value = plane[static_cast<std::size_t>(y * grid.shape[0] + x)];
                if (!std::isfinite(value))
                    dataset.refuse("'" + dataset.name() + "'", "a number in it is not finite");
                values.push_back(upper_half(value));
            }
    }
    const double scale = units::bohr_in_angstrom;
    const Vec3 o = scale * grid.origin, s = scale * static_cast<double>(step) * grid.spacing;
    return {{"origin", {o.x, o.y, o.z}},
            {"spacing", {s.x, s.y, s.z}},
            {"shape", {kept(grid.shape[0]), kept(grid.shape[1]), kept(grid.shape[2])}},
            {"step", step},
            {"values", base64(values)}};
}

Json thin_mesh(const io::Mesh& mesh) {
    ThinMesh thin = on_lattice(mesh, 0);
    for (double cell = 0.1; thin.triangles.size() > 3 * most_triangles; cell *= 1.4)
        thin = on_lattice(mesh, cell);
    Json fields = Json::array();
    for (const io::Mesh::Field& field : mesh.fields) {
        std::vector<float> values;
        values.reserve(thin.kept.size());
        for (const std::uint32_t v : thin.kept) values.push_back(finite_float(field.values[v]));
        fields.push_back({{"name", field.name}, {"values", base64(values)}});
    }
    return {{"vertices", base64(thin.vertices)},
            {"normals", base64(thin.normals)},
            {"triangles", base64(thin.triangles)},
            {"positive_triangles", thin.positive_triangles},
            {"stored_triangles", mesh.triangles.size()},
            {"fields", fields}};
}

}  // namespace tessera::app
