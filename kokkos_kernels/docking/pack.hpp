// Repacks the side chains of docked poses. A block chooses the rotamers of one pose.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/docking/pack_problem.hpp"

namespace tessera::kernels {

class SideChainPacking {
  public:
    virtual ~SideChainPacking() = default;

    /// Lowers the energy of each pose from the conformations of the file: one side chain at a time,
    /// and two that meet at a time, until neither helps. A pose's result has the same bits
    /// whichever other poses are given with it.
    virtual std::vector<PackedPose> pack(std::span<const PackPose> poses) = 0;
};

std::unique_ptr<SideChainPacking> make_side_chain_packing(Backend backend,
                                                          const PackPartner& receptor,
                                                          const PackPartner& ligand,
                                                          const PackParameters& parameters);

}  // namespace tessera::kernels
