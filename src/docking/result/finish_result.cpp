#include "docking/result/finish_result.hpp"

#include <algorithm>

#include "docking/result/judged_consensus.hpp"
#include "docking/result/restraints_file.hpp"

namespace tessera::docking {

void cluster_and_judge(const DockInput& input, const PreparedDocking& prepared,
                       DockResult& result) {
    result.clusters.clear();
    result.quality.clear();
    result.antibody = prepared.antibody;
    result.symmetry = input.symmetry;
    if (input.membrane.is_set())
        result.membrane = parse_membrane(input.membrane, input.symmetry.is_set());
    if (prepared.evaluation) result.copies = prepared.evaluation->copies();
    for (const PoseList& list : result.lists) {
        std::vector<Quaternion> rotations;
        for (const Pose& pose : list.poses) rotations.push_back(result.rotations[pose.rotation]);
        result.clusters.push_back(cluster_poses(
            list.poses, rotations, prepared.frame.ligand_center, prepared.receptor_structure,
            prepared.ligand_structure, input.clustering, prepared.refinement.ring));
        if (!prepared.evaluation) continue;
        std::vector<PoseQuality> quality(list.poses.size());
#pragma omp parallel for schedule(dynamic, 16)
        for (std::size_t i = 0; i < list.poses.size(); ++i)
            quality[i] = prepared.evaluation_of(static_cast<std::size_t>(list.poses[i].pair))(
                rotations[i], prepared.frame.ligand_center, list.poses[i].translation);
        result.quality.push_back(std::move(quality));
    }
}

namespace {

/// Counts the restraints that the poses of the lists satisfy. Those of an ensemble were counted
/// with the atoms of their conformers (EnsemblePoses).
void count_satisfied(const DockInput& input, const PreparedDocking& prepared, DockResult& result) {
    result.restraints = stored_restraints(
        prepared.restraints, input.restraints.weight_of(prepared.restraints.restraints.size()));
    if (prepared.ensemble.combinations() > 1) return;
    for (PoseList& list : result.lists) {
#pragma omp parallel for schedule(dynamic, 16)
        for (std::size_t i = 0; i < list.poses.size(); ++i) {
            Pose& pose = list.poses[i];
            const Quaternion& rotation = result.rotations[pose.rotation];
            pose.satisfied = prepared.restraints.count({rotation, pose.translation}).satisfied;
        }
    }
}

}  // namespace

Partners whole_partners(const PreparedDocking& prepared) {
    return {prepared.receptor_cut.whole.value_or(prepared.receptor_structure),
            prepared.ligand_cut.whole.value_or(prepared.ligand_structure)};
}

DockResult finish_result(const DockInput& input, const PreparedDocking& prepared,
                         SortedPoses sorted) {
    DockResult result;
    result.frame = prepared.frame;
    result.receptor_sha256 = prepared.receptor_sha256;
    result.ligand_sha256 = prepared.ligand_sha256;
    result.rotations = positive_rotations(prepared.rotations);
    result.lists = std::move(sorted.lists);
    result.consensus = std::move(sorted.consensus);
    for (PoseList& list : result.lists)
        list.poses.resize(std::min(list.poses.size(), static_cast<std::size_t>(input.poses)));
    result.left_out = {prepared.receptor_cut.low, prepared.ligand_cut.low};
    result.chemistry = {prepared.receptor_chemistry, prepared.ligand_chemistry};
    result.partners = whole_partners(prepared);
    if (prepared.ensemble.combinations() > 1) result.ensemble = prepared.ensemble;
    if (!prepared.restraints.empty()) count_satisfied(input, prepared, result);
    cluster_and_judge(input, prepared, result);
    return result;
}

}  // namespace tessera::docking
