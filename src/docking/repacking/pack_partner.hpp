// The side chains of a partner and their rotamers.
#pragma once

#include <vector>

#include "docking/repacking/rotamer_library.hpp"
#include "io/proteins/structure.hpp"
#include "kokkos_kernels/docking/pack_problem.hpp"

namespace tessera::docking {

/// A partner whose side chains can be repacked.
struct RepackedPartner {
    kernels::PackPartner packed;
    /// Residue of each side chain (io::AtomRecord::residue_index).
    std::vector<int> residues;
};

/// Finds the side chains on the surface that can move, and their rotamers: the conformation of the
/// file, then those of the library, with their energies within the partner. A side chain stays as
/// it is if atoms are missing, if it has atoms of another molecule or residue nearer than a bond
/// (bonded_distance), or if it is no amino acid with chi angles. `atoms` are those of the structure
/// in its order.
RepackedPartner make_repacked_partner(const io::Structure& structure,
                                      const std::vector<kernels::RefineAtom>& atoms,
                                      const RotamerLibrary& library,
                                      const kernels::PackParameters& parameters);

inline constexpr double bonded_distance = 2.4;  // Angstrom; also of metal ions

}  // namespace tessera::docking
