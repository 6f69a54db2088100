#include "docking/result/judged_assemblies.hpp"

#include <algorithm>
#include <cstddef>

#include "core/error.hpp"
#include "docking/result/judged_consensus.hpp"
#include "docking/search/two_folds.hpp"

namespace tessera::docking {

static_assert(poses_per_tile % 2 == 0, "a tile holds both poses of an assembly");

AssemblyStarts assembly_starts(const DockInput& input, const PreparedDocking& prepared,
                               const Consensus& rings) {
    const PlacedTerms terms(prepared.problem, prepared.frame);
    const std::size_t count =
        std::min(rings.poses.size(), static_cast<std::size_t>(input.symmetry.rings));
    AssemblyStarts starts;
    for (std::size_t i = 0; i < count; ++i) {
        const ConsensusPose& ring = rings.poses[i];
        for (const FoundAssembly& found :
             find_two_folds(ring.pose, prepared.refinement.ring, terms, prepared.problem.ligand,
                            input.sets[static_cast<std::size_t>(ring.origin.set)].weights,
                            prepared.frame.spacing)) {
            starts.candidates.push_back(
                {found.assembly.next, ring.origin.set, ring.origin.place, found.terms});
            starts.poses.push_back(found.assembly.next);
            starts.poses.push_back(found.assembly.opposite);
        }
    }
    if (starts.poses.empty())
        throw Error("no two rings attract each other",
                    "all two-fold axes across the best rings let them clash or keep them apart",
                    "raise --rings or --axes, or dock a ring with --symmetry C" +
                        std::to_string(input.symmetry.copies));
    return starts;
}

Consensus assembly_consensus(const DockInput& input, const PreparedDocking& prepared,
                             const AssemblyStarts& starts,
                             const std::vector<kernels::RefinedPose>& refined) {
    std::vector<kernels::RefinedPose> assemblies;
    std::vector<kernels::RigidPose> opposites;
    for (std::size_t i = 0; i + 1 < refined.size(); i += 2) {
        assemblies.push_back(refined[i]);
        opposites.push_back(refined[i + 1].pose);
    }
    Consensus consensus = make_consensus({starts.candidates,
                                          assemblies,
                                          contact_energies(prepared, assemblies, opposites),
                                          {},
                                          statistical_energies(prepared, assemblies, opposites),
                                          {},
                                          opposites},
                                         prepared.rescoring, docked_ligand(prepared, true),
                                         input.consensus, input.clustering);
    judge(consensus, prepared);
    return consensus;
}

}  // namespace tessera::docking
