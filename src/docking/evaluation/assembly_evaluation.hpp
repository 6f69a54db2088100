// How near a dihedral assembly is to the native one, by the definitions of CAPRI.
#pragma once

#include <string>
#include <vector>

#include "docking/evaluation/native_site.hpp"
#include "docking/evaluation/pose_quality.hpp"
#include "io/proteins/structure.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// Compares assemblies with a reference that holds a native one, or some copies of it. One copy of
/// the reference is the receptor: that with the most neighbours. Each neighbour is a native place,
/// and the copy of an assembly that is nearest to it is compared with it. A quality is the mean
/// over all places: of DockQ the mean, of RMSDs the root of the mean square, and fnat is the
/// fraction of the contacts of all places together.
class AssemblyEvaluation {
  public:
    /// Two copies of the reference are neighbours if they touch and if a turn by a multiple of
    /// 360 degrees / `ring.copies`, or by 180 degrees, takes one to the other, as in a ring
    /// (ring_matches.hpp). `reference_chains`: chains that may be copies; empty: all. Throws Error
    /// if there are none.
    AssemblyEvaluation(const io::Structure& protein, const io::Structure& reference,
                       const kernels::Ring& ring, const std::vector<std::string>& reference_chains);

    /// One line for the log.
    const std::string& matched() const { return matched_; }

    /// Several threads may call it.
    PoseQuality operator()(const kernels::RigidPose& next,
                           const kernels::RigidPose& opposite) const;

  private:
    kernels::Ring ring_;
    std::string matched_;
    std::vector<NativeSite> places_;  ///< at least one
};

}  // namespace tessera::docking
