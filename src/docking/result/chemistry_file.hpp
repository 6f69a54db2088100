// The group /docking/chemistry of the output file (docs/reference/hdf5.md).
#pragma once

#include "docking/model/kept_residues.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// What became of the molecules beside the two proteins.
struct PartnerChemistry {
    Chemistry receptor, ligand;
};

/// Writes the group `chemistry` under `docking`, with a group for each partner that has molecules
/// beside its protein, apart from waters.
void write_chemistry(io::h5::Group& docking, const PartnerChemistry& chemistry);

/// Reads it back; empty if there is no group. Throws Error if its parts do not fit together.
PartnerChemistry read_chemistry(const io::h5::Group& docking);

}  // namespace tessera::docking
