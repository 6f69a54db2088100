// What follows from a prepared docking (declared in prepare.hpp).
#include <algorithm>

#include "core/error.hpp"
#include "docking/search/ring_terms.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

RestraintFilter restraint_filter(const PreparedDocking& prepared) {
    return {prepared.restraints, prepared.rotations, prepared.frame, prepared.refinement.ring};
}

StatisticalEnergy statistical_energy(const PreparedDocking& prepared) {
    return {prepared.receptor_structure, prepared.ligand_structure, prepared.frame.ligand_center,
            statistical_potential()};
}

void close_rings(const PreparedDocking& prepared, std::vector<PoseList>& lists) {
    const kernels::Ring& ring = prepared.refinement.ring;
    if (ring.is_set())
        close_rings(lists, {prepared.problem, prepared.frame}, ring, prepared.rotations);
}

bool has_poses(const std::vector<PoseList>& lists) {
    return std::ranges::any_of(lists, [](const PoseList& list) { return !list.poses.empty(); });
}

void require_restrained_poses(const PreparedDocking& prepared, const std::vector<PoseList>& lists) {
    if (has_poses(lists)) return;
    if (prepared.restraints.empty() && prepared.membrane)
        throw Error("the membrane allows no pose", "the ligand has no place on the grid",
                    "check --membrane, --membrane-axis and the frames of the files");
    if (prepared.membrane)
        throw Error("no pose satisfies the restraints and the membrane together",
                    describe(prepared.restraints) + "; the membrane rules out other poses",
                    "dock with each of them alone to see which one is too strict");
    if (!prepared.restraints.empty())
        throw Error("no pose satisfies the restraints", describe(prepared.restraints),
                    "check them, or lower --restraints-required or raise --restraints-tolerance");
}

}  // namespace tessera::docking
