// The refinement of rings on one kind of device.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "kokkos_kernels/docking/refine_device.hpp"
#include "kokkos_kernels/docking/refine_ring_kernel.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::kernels {

inline RefinedPose refined_of(const double* row) {
    RefinedPose pose;
    pose.pose = {{row[0], row[1], row[2], row[3]}, {row[4], row[5], row[6]}};
    pose.start_energy = row[7];
    pose.energy = row[8];
    std::copy(row + 9, row + refine_result_columns, pose.terms.begin());
    return pose;
}

template <class Device, class Restraints = NoRestraints>
class RingRefinement final : public Refinement<Device, Restraints> {
  public:
    explicit RingRefinement(const RefineProblem& problem)
        : Refinement<Device, Restraints>(problem), ring_(problem.ring) {}

    std::vector<RefinedPose> refine(std::span<const RigidPose> poses) override {
        RefineRingKernel<Device, Restraints> kernel{
            this->kernel_, {ring_.center.x, ring_.center.y, ring_.center.z}};
        // A turn of the axis moves the ligand about twice as far as a turn of the ligand alone.
        kernel.ligand.arm *= 2;
        kernel.largest_turn /= 2;
        const auto table = this->launch("tessera::docking::refine_ring", kernel, poses);
        std::vector<RefinedPose> rings;
        for (std::size_t i = 0; i < poses.size(); ++i) {
            rings.push_back(refined_of(&table[i * refine_result_columns]));
            rings.back().pose = closed(rings.back().pose, ring_);
        }
        for (int k = 2; 2 * k <= ring_.copies; ++k) add_other_pairs(k, rings);
        return rings;
    }

  private:
    /// Adds the terms of the first and copy k of each ring.
    void add_other_pairs(int k, std::vector<RefinedPose>& rings) {
        std::vector<RigidPose> copies;
        for (const RefinedPose& ring : rings) copies.push_back(ring_copy(ring.pose, ring_, k));
        RefineKernel<Device, Restraints> still = this->kernel_;
        still.evaluations = 1;
        const auto table = this->launch("tessera::docking::ring_terms", still, copies);
        for (std::size_t i = 0; i < rings.size(); ++i) {
            const auto terms = refined_of(&table[i * refine_result_columns]).terms;
            for (int t = 0; t < refine_term_count; ++t)
                rings[i].terms[t] += pairs_per_neighbor(k, ring_.copies) * terms[t];
        }
    }

    Ring ring_;
};

}  // namespace tessera::kernels
