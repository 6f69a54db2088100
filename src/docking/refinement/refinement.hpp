// The second stage of docking: moves the best poses of all sets off the grid
// (docs/method/docking-refinement.md).
#pragma once

#include <vector>

#include "core/tile.hpp"
#include "docking/model/energy.hpp"
#include "kokkos_kernels/docking/refine.hpp"

namespace tessera::docking {

/// The smooth counterpart of the search's energy. It has the same atoms, types, charges and contact
/// energies, and smooth cut-offs around those of the search. It has no restraints.
kernels::RefineProblem make_refine_problem(const Molecule& receptor, const Molecule& ligand,
                                           Vec3 ligand_center, const EnergyParameters& energy,
                                           const PairPotential& potential);

/// The poses of a tile. One launch refines them.
inline constexpr std::int64_t poses_per_tile = 512;

/// Refinement as tiles. A tile is a range of poses, and its partial holds the refined poses in the
/// same order.
class RefineWorkload {
  public:
    using Payload = kernels::RefinedPose;

    RefineWorkload(kernels::PoseRefinement& refinement,
                   const std::vector<kernels::RigidPose>& poses)
        : refinement_(refinement), poses_(poses) {}

    TilePartial<Payload> run(const Tile& tile);

  private:
    kernels::PoseRefinement& refinement_;
    const std::vector<kernels::RigidPose>& poses_;
};

}  // namespace tessera::docking
