#include "orbitals/result/stored_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "io/files/file_name.hpp"
#include "io/hdf5/grid_pack.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::orbitals {

namespace {

template <class T>
std::vector<std::array<T, 3>> triples(const std::vector<T>& flat) {
    std::vector<std::array<T, 3>> rows(flat.size() / 3);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = {flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]};
    return rows;
}

}  // namespace

std::vector<std::string> grid_names(const io::h5::Group& root, const OrbitalResult& result) {
    std::vector<std::string> names{"orbitals/values", "density/values", "spin_density/values",
                                   mean_density_values};
    for (const std::string& field : result.fields) names.push_back(field_values(field));
    for (const StoredCombination& one : result.combinations)
        names.push_back(combination_values(one.name));
    std::erase_if(names, [&](const std::string& name) { return !root.contains(name); });
    return names;
}

GridRounding read_rounding(const io::h5::Group& root, const std::vector<std::string>& names) {
    GridRounding rounding;
    double values = 0, stored = 0;
    for (const std::string& name : names) {
        const io::h5::Dataset dataset = root.open_dataset(name);
        if (!dataset.has_attribute("largest_error")) continue;
        const auto error = dataset.read_attribute<double>("largest_error");
        if (!std::isfinite(error) || error <= 0)
            root.refuse("attribute 'largest_error' of '/" + name + "'", "it is not above 0");
        rounding.largest_error = std::max(rounding.largest_error, error);
        double points = 1;
        for (const std::uint64_t length : dataset.shape()) points *= static_cast<double>(length);
        values += points;
        stored += points / io::compression_ratio(dataset);
    }
    if (stored > 0) rounding.compression_ratio = values / stored;
    return rounding;
}

io::h5::Dataset open_grids(const io::h5::Group& root, const std::string& name,
                           const OrbitalResult& result) {
    io::h5::Dataset dataset = root.open_dataset(name);
    io::h5::Shape shape;
    if (name != mean_density_values) shape.push_back(result.frames.size());
    if (name == "orbitals/values") shape.push_back(result.labels.size());
    shape.insert(shape.end(), result.grid.shape.rbegin(), result.grid.shape.rend());
    if (dataset.shape() != shape)
        root.refuse("'/" + name + "'",
                    "its shape does not match the grid, the frames and the labels");
    dataset.require_stored();
    return dataset;
}

io::Mesh read_mesh(const io::h5::Group& surface) {
    const io::h5::Shape stored = surface.open_dataset("vertices").shape();
    const io::h5::Shape faces = surface.open_dataset("triangles").shape();
    const std::uint64_t vertices = stored.empty() ? 0 : stored[0],
                        triangles = faces.empty() ? 0 : faces[0];
    constexpr float most = std::numeric_limits<float>::max();
    const auto reals = [&](const char* name) {
        return triples(io::read_within<float>(surface, name, {vertices, 3}, -most, most));
    };
    const auto last = vertices == 0 ? 0 : vertices - 1;
    const auto corners = io::read_within<std::uint32_t>(surface, "triangles", {triangles, 3}, 0,
                                                        static_cast<std::uint32_t>(last));
    io::Mesh mesh;
    mesh.vertices = reals("vertices");
    mesh.normals = reals("normals");
    mesh.triangles = triples(corners);
    mesh.positive_triangles = static_cast<std::uint64_t>(io::attribute_within(
        surface, "positive_triangles", 0, static_cast<std::int64_t>(triangles)));
    if (!surface.contains("fields")) return mesh;
    const io::h5::Group fields = surface.open_group("fields");
    for (const std::string& name : fields.children()) {
        io::require_file_name(surface.file(), "vertex field", name);
        const io::h5::Dataset values = fields.open_dataset(name);
        mesh.fields.push_back(
            {name, io::read_finite(fields, name, {vertices}),
             values.has_attribute("units") ? values.read_attribute<std::string>("units") : ""});
    }
    return mesh;
}

}  // namespace tessera::orbitals
