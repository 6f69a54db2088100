// Grids and isosurfaces of a result file.
#pragma once

#include <string>
#include <vector>

#include "io/fields/mesh_writer.hpp"
#include "io/hdf5/h5.hpp"
#include "orbitals/result/report.hpp"

namespace tessera::orbitals {

/// The dataset of the mean density of all frames, [z, y, x].
inline constexpr const char* mean_density_values = "mean_density/values";

/// The dataset of a derived field, [frame, z, y, x].
inline std::string field_values(const std::string& field) { return "fields/" + field + "/values"; }

/// The dataset of a combination, [frame, z, y, x].
inline std::string combination_values(const std::string& combination) {
    return "combinations/" + combination + "/values";
}

/// The names of all datasets of grids.
std::vector<std::string> grid_names(const io::h5::Group& root, const OrbitalResult& result);

/// How the grids of a result were rounded and compressed.
struct GridRounding {
    double largest_error = 0;      ///< of any value, in the unit of its grid; 0: not rounded
    double compression_ratio = 1;  ///< of all grids together
};
/// Throws Error if what the file says about it is damaged.
GridRounding read_rounding(const io::h5::Group& root, const std::vector<std::string>& names);

/// The dataset of grids `name`, such as "density/values", with the axes [leading axes, z, y, x].
/// Throws Error if it does not fit the result.
io::h5::Dataset open_grids(const io::h5::Group& root, const std::string& name,
                           const OrbitalResult& result);

/// The mesh in /isosurfaces/FRAME/LABEL. Throws Error if a triangle names a vertex that does not
/// exist.
io::Mesh read_mesh(const io::h5::Group& surface);

}  // namespace tessera::orbitals
