// The group /docking/membrane of the output file (docs/reference/hdf5.md).
#pragma once

#include <optional>

#include "docking/model/membrane.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// Writes the group `membrane` under `docking`.
void write_membrane(io::h5::Group& docking, const Membrane& membrane);

/// Reads the group back, if it exists. Throws Error if parts of it do not fit together.
std::optional<Membrane> read_membrane(const io::h5::Group& docking);

}  // namespace tessera::docking
