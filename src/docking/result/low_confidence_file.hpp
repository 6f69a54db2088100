// The group /docking/plddt of the output file (docs/reference/hdf5.md).
#pragma once

#include "docking/model/low_confidence.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// What was left out of both partners.
struct LeftOut {
    LowConfidence receptor, ligand;
};

/// Writes the group `plddt` under `docking`, with a group for each partner whose pLDDT was used.
/// Writes nothing if there is none.
void write_left_out(io::h5::Group& docking, const LeftOut& left_out);

/// Reads the group back, if it exists. Throws Error if parts of it do not fit together.
LeftOut read_left_out(const io::h5::Group& docking);

}  // namespace tessera::docking
