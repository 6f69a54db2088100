// How long the docking of rings in pairs takes (declared in docking_plan.hpp).
#include <algorithm>
#include <cmath>

#include "docking/search/two_folds.hpp"
#include "kokkos_kernels/docking/refine_assembly.hpp"
#include "plan/docking_plan.hpp"

namespace tessera::plan {

namespace {

using docking::DockInput;
using docking::PreparedDocking;
using kernels::RigidPose;

constexpr std::size_t tried_rings = 2;

/// The search for two-fold axes of some rings.
struct TwoFolds {
    double ring_seconds = 0;        ///< for one ring, with all threads
    double per_ring = 0;            ///< assemblies that a ring leads to
    std::vector<RigidPose> starts;  ///< two poses for each assembly
};

TwoFolds try_two_folds(const DockInput& input, const PreparedDocking& prepared,
                       const std::vector<RigidPose>& tried) {
    const kernels::Ring& ring = prepared.refinement.ring;
    const docking::PlacedTerms terms(prepared.problem, prepared.frame);
    const std::size_t rings = std::min(tried.size(), tried_rings);
    TwoFolds found;
    const double seconds = seconds_of([&] {
        for (std::size_t i = 0; i < rings; ++i)
            for (const auto& one : docking::find_two_folds(
                     kernels::closed(tried[i], ring), ring, terms, prepared.problem.ligand,
                     input.sets.front().weights, prepared.frame.spacing))
                found.starts.insert(found.starts.end(), {one.assembly.next, one.assembly.opposite});
    });
    found.ring_seconds = seconds / static_cast<double>(rings);
    // Rings that the search has not found yet may attract each other less than the best ones.
    found.per_ring = found.starts.empty() ? static_cast<double>(docking::two_folds_per_ring)
                                          : static_cast<double>(found.starts.size()) / 2 /
                                                static_cast<double>(rings);
    return found;
}

/// Seconds to refine one assembly on the device of this rank.
double sample_assembly(const DeviceDescription& device, const PreparedDocking& prepared,
                       const std::vector<RigidPose>& starts) {
    const std::size_t count = device.backend == kernels::Backend::cuda
                                  ? docking::poses_per_tile
                                  : 2 * static_cast<std::size_t>(std::max(8, device.threads));
    std::vector<RigidPose> some;
    for (std::size_t i = 0; i < count; ++i) some.push_back(starts[i % starts.size()]);
    const auto refinement = kernels::make_assembly_refinement(device.backend, prepared.refinement);
    return seconds_of([&] { refinement->refine(some); }) / (static_cast<double>(count) / 2);
}

}  // namespace

AssemblyEstimate plan_assemblies(const DockInput& input, const PreparedDocking& prepared,
                                 const RankPlan& rank, double rings,
                                 const std::vector<RigidPose>& tried) {
    const double docked = std::min(rings, static_cast<double>(input.symmetry.rings));
    const TwoFolds found = try_two_folds(input, prepared, tried);
    AssemblyEstimate estimate;
    estimate.find_seconds = found.ring_seconds * docked;
    estimate.assemblies = std::round(found.per_ring * docked);
    // The smooth energy of a ring is that of one pair, and of an assembly that of all kinds.
    const double kinds = 1.5 * input.symmetry.copies;
    estimate.refine_seconds = rank.basis == Basis::sampled && !found.starts.empty()
                                  ? sample_assembly(rank.device, prepared, found.starts)
                                  : kinds * rank.second_item_seconds;
    return estimate;
}

}  // namespace tessera::plan
