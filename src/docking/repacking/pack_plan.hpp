// Which side chains of a pose are repacked, and what they meet.
#pragma once

#include "docking/refinement/near_atoms.hpp"
#include "kokkos_kernels/docking/pack_problem.hpp"

namespace tessera::docking {

/// A side chain is repacked if its C-beta is within this distance of an atom of the other partner,
/// and at most this much farther than its longest rotamer reaches. Angstrom.
inline constexpr double interface_distance = 10, interface_gap = 4;
/// Most side chains that are repacked in a pose: those nearest to the other partner.
inline constexpr std::size_t repacked_side_chains = 48;

/// Finds the side chains of poses of two partners, which must outlive it.
class PackPlan {
  public:
    PackPlan(const kernels::PackPartner& receptor, const kernels::PackPartner& ligand,
             double cutoff);

    kernels::PackPose operator()(const kernels::RigidPose& pose) const;

  private:
    void add_nodes(kernels::PackPose& plan) const;
    void add_near_atoms(kernels::PackPose& plan) const;
    void add_edges(kernels::PackPose& plan) const;

    const kernels::PackPartner* partners_[2];
    NearAtoms near_[2];                       ///< atoms of each partner, in its own frame
    std::vector<std::vector<int>> pairs_[2];  ///< of each side chain
    double cutoff_;
};

/// A point of one partner in the frame of the other.
Vec3 in_other_frame(const kernels::RigidPose& pose, int partner, Vec3 point);

}  // namespace tessera::docking
