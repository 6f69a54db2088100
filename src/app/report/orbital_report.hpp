// What a report shows of orbitals and densities.
#pragma once

#include <nlohmann/json.hpp>

#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// The nuclei of the first frame (Angstrom), the energies, and some grids or, where the file has no
/// grids, some isosurfaces of that frame. Fine grids and meshes are thinned, so that the page stays
/// small. Throws Error if the file is damaged.
nlohmann::ordered_json orbital_report(const io::h5::Group& root);

}  // namespace tessera::app
