#include "docking/result/rescore.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "docking/result/finish_result.hpp"
#include "docking/result/judged_consensus.hpp"
#include "docking/result/repacked_consensus.hpp"

namespace tessera::docking {

namespace {

using kernels::RefinedPose;

Consensus made_again(const DockInput& input, const PreparedDocking& prepared,
                     const Consensus& former, const RescoreRequest& request) {
    std::vector<Candidate> candidates;
    std::vector<RefinedPose> refined;
    std::vector<double> contacts, statistical, shares;
    std::vector<RestraintScore> restraints;
    std::vector<kernels::RigidPose> opposites;
    for (const ConsensusPose& pose : former.poses) {
        candidates.push_back(pose.origin);
        RefinedPose& each = refined.emplace_back();
        each.pose = pose.pose;
        each.terms = pose.terms;
        contacts.push_back(pose.contact_energy);
        statistical.push_back(pose.statistical_energy);
        shares.push_back(pose.cdr_share);
        restraints.push_back({pose.satisfied, pose.restraint_energy});
        if (pose.opposite) opposites.push_back(*pose.opposite);
    }
    if (request.weights) {
        contacts = contact_energies(prepared, refined, opposites);
        statistical = statistical_energies(prepared, refined, opposites);
        shares = cdr_shares(prepared, refined);
    }
    return make_consensus(
        {candidates, refined, contacts, restraints, statistical, shares, opposites},
        request.weights ? prepared.rescoring : former.weights,
        docked_ligand(prepared, input.symmetry.dihedral), input.consensus, input.clustering);
}

}  // namespace

bool repacks(const DockInput& input, const RescoreRequest& request) {
    return input.consensus.repack > 0 && (request.weights || request.duplicates || request.repack);
}

void require_rescorable(const std::string& file, const DockInput& input, const DockResult& result,
                        const RescoreRequest& request) {
    if (!result.consensus)
        throw Error("'" + file + "' has no refined poses", "it was made with --refine 0",
                    "dock with --refine N");
    if (request.weights && result.ensemble)
        throw Error("cannot score the poses of '" + file + "' with other weights",
                    "they have several conformers", "dock again with --rescoring");
    const double radius = input.consensus.duplicate_radius;
    if ((request.weights || request.duplicates) && radius > 0)
        throw Error("cannot rescore the poses of '" + file + "'",
                    fmt::format("it lacks the refined poses within {:g} A of better ones", radius),
                    "dock with --duplicate-radius 0, or change only the clusters");
}

DockResult rescored(const DockInput& input, const PreparedDocking& prepared, DockResult result,
                    const RescoreRequest& request) {
    if (request.weights || request.duplicates)
        result.consensus = made_again(input, prepared, *result.consensus, request);
    else if (request.repack)
        undo_repacking(*result.consensus);
    if (repacks(input, request))
        repack_best(kernels::Backend::openmp, input, prepared, *result.consensus);
    else
        cluster_again(*result.consensus, docked_ligand(prepared, input.symmetry.dihedral),
                      input.clustering);
    result.partners = whole_partners(prepared);
    judge(*result.consensus, prepared);
    cluster_and_judge(input, prepared, result);
    return result;
}

}  // namespace tessera::docking
