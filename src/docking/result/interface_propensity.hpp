// How often each residue takes part in the interface of docked poses.
#pragma once

#include <cstdint>
#include <vector>

#include "docking/result/partner_atoms.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// A residue is in contact if one of its heavy atoms lies nearer than this to one of the partner,
/// in Angstrom. It is the distance of CAPRI's residue contacts (Mendez et al. 2003).
inline constexpr double contact_distance = 5;

/// The number of poses in which each residue is in contact. The elements are in the order of the
/// residues in the structure (AtomRecord::residue_index).
struct InterfacePropensity {
    std::vector<std::int64_t> receptor, ligand;
};

/// `poses` has for each pose the places of the ligand, which is moved about `ligand_center`
/// (Angstrom). There are several if the pose stands for a ring; a residue that one of them touches
/// counts once. Since copies of a ring are equal, `receptor` then is the count of each of them.
InterfacePropensity interface_propensity(const Partners& partners, Vec3 ligand_center,
                                         const std::vector<std::vector<kernels::RigidPose>>& poses);

}  // namespace tessera::docking
