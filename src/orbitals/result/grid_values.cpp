#include "orbitals/result/grid_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "io/hdf5/grid_file.hpp"
#include "orbitals/tiles/surface.hpp"

namespace tessera::orbitals {

namespace {

/// The cube of the grid in which a point lies, and where it lies between its corners, from 0 to 1.
struct PlaceInCube {
    std::array<std::int64_t, 3> first{};
    std::array<double, 3> share{};
};

PlaceInCube place_of(const std::array<float, 3>& point, const UniformGrid& grid) {
    const double from_origin[3] = {(static_cast<double>(point[0]) - grid.origin.x) / grid.spacing.x,
                                   (static_cast<double>(point[1]) - grid.origin.y) / grid.spacing.y,
                                   (static_cast<double>(point[2]) - grid.origin.z) /
                                       grid.spacing.z};
    PlaceInCube place;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto last = static_cast<double>(grid.shape[axis] - 2);
        const double first = std::clamp(std::floor(from_origin[axis]), 0.0, last);
        place.first[axis] = static_cast<std::int64_t>(first);
        place.share[axis] = std::clamp(from_origin[axis] - first, 0.0, 1.0);
    }
    return place;
}

/// `values` are planes of the grid, x fastest, of which the first has the index `begin`.
double interpolated(const std::vector<double>& values, std::int64_t begin,
                    const std::array<std::int64_t, 3>& shape, const PlaceInCube& place) {
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1;
        std::array<std::int64_t, 3> at = place.first;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int step = corner >> axis & 1;
            at[axis] += step;
            weight *= step == 1 ? place.share[axis] : 1 - place.share[axis];
        }
        if (weight == 0) continue;
        const std::int64_t index = ((at[2] - begin) * shape[1] + at[1]) * shape[0] + at[0];
        sum += weight * values[static_cast<std::size_t>(index)];
    }
    return sum;
}

}  // namespace

std::vector<double> values_at(const io::h5::Dataset& dataset, std::int64_t index,
                              const UniformGrid& grid,
                              std::span<const std::array<float, 3>> points) {
    std::vector<PlaceInCube> places;
    places.reserve(points.size());
    for (const auto& point : points) places.push_back(place_of(point, grid));
    std::vector<double> found(points.size());
    // Slabs share a plane, so that each cube lies in one of them.
    const std::int64_t all = grid.shape[2];
    const std::int64_t planes = choose_density_slabs(grid.shape, true).planes + 1;
    for (std::int64_t begin = 0; begin + 1 < all; begin += planes - 1) {
        const std::int64_t count = std::min(planes, all - begin);
        const auto values =
            io::read_grid_box(dataset, index, {0, 0, begin}, {grid.shape[0], grid.shape[1], count});
        for (std::size_t i = 0; i < places.size(); ++i)
            if (places[i].first[2] >= begin && places[i].first[2] < begin + count - 1)
                found[i] = interpolated(values, begin, grid.shape, places[i]);
    }
    return found;
}

io::Mesh part_within(const io::Mesh& mesh, std::span<const double> values, double low,
                     double high) {
    constexpr auto none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> new_index(mesh.vertices.size(), none);
    io::Mesh part;
    part.title = mesh.title;
    for (const io::Mesh::Field& field : mesh.fields)
        part.fields.push_back({field.name, {}, field.units});
    const auto taken = [&](std::uint32_t vertex) {
        if (new_index[vertex] != none) return new_index[vertex];
        new_index[vertex] = static_cast<std::uint32_t>(part.vertices.size());
        part.vertices.push_back(mesh.vertices[vertex]);
        part.normals.push_back(mesh.normals[vertex]);
        for (std::size_t f = 0; f < mesh.fields.size(); ++f)
            part.fields[f].values.push_back(mesh.fields[f].values[vertex]);
        return new_index[vertex];
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& corners = mesh.triangles[t];
        if (!std::ranges::all_of(corners, [&](std::uint32_t corner) {
                return values[corner] >= low && values[corner] <= high;
            }))
            continue;
        part.triangles.push_back({taken(corners[0]), taken(corners[1]), taken(corners[2])});
        if (t < mesh.positive_triangles) ++part.positive_triangles;
    }
    return part;
}

}  // namespace tessera::orbitals
