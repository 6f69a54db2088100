// The search for two-fold axes that turn a ring onto an equal one (Dn).
#pragma once

#include <cstddef>
#include <vector>

#include "docking/search/ring_terms.hpp"
#include "kokkos_kernels/docking/assembly_pose.hpp"

namespace tessera::docking {

/// Two-fold axes that are kept for each ring.
inline constexpr std::size_t two_folds_per_ring = 10;

/// A dihedral assembly by the energy function of the search.
struct FoundAssembly {
    kernels::Assembly assembly;
    Terms terms{};  ///< of all pairs of copies, divided by the pairs of neighbours within rings
    double score = 0;
};

/// The best places of a two-fold axis across the axis of the ring, best first. They are minima of
/// the score over a grid of angles about the axis and heights along it, at which the two rings
/// attract each other. `spacing`: Angstrom, the step in which the other ring moves. Works on the
/// host with all threads, and the bits are the same for any number of them.
std::vector<FoundAssembly> find_two_folds(const kernels::RigidPose& next, const kernels::Ring& ring,
                                          const PlacedTerms& terms, const std::vector<Vec3>& ligand,
                                          const Terms& weights, double spacing);

}  // namespace tessera::docking
