// Named axes of datasets, as netCDF-4 has them, so that xarray and ArviZ can read a group.
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"

namespace tessera::io::h5 {

/// The axes of each of `datasets` are `dimensions`: datasets of one axis in the same group, which
/// become dimension scales (HDF5's specification of dimension scales; netCDF-4 builds on it).
void name_dimensions(const Group& group, const std::vector<std::string>& dimensions,
                     const std::vector<std::string>& datasets);

}  // namespace tessera::io::h5
