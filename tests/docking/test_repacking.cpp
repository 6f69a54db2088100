// The repacking of side chains: which move, their energies, and the scores of the moved poses
// against the classes that score poses at rest.
#include "docking/repacking/repacking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "docking/model/pair_potential.hpp"
#include "docking/refinement/refinement.hpp"
#include "docking/refinement/statistical_potential.hpp"
#include "docking/repacking/side_chain_geometry.hpp"
#include "docking/result/repacked_consensus.hpp"
#include "kokkos_kernels/docking/pose_terms.hpp"
#include "kokkos_kernels/docking/refine.hpp"
#include "side_chain_walls.hpp"
#include "support/plain_pack_energy.hpp"
#include "support/test_device.hpp"

namespace tessera::docking {
namespace {

using tessera::testing::plain_pack_energy;
using testing::side_chain_wall;

/// Two walls whose side chains meet.
struct Walls {
    io::Structure receptor = side_chain_wall("A", 1, 1), ligand = side_chain_wall("B", -1, 4);
    PairPotential potential = load_pair_potential(default_pair_potential, 1);
    RescoringWeights weights = load_rescoring_weights("general", potential.type_names);
    kernels::RefineProblem problem = problem_of(receptor, ligand);
    ContactTypes types = {};
    kernels::PackParameters parameters = {};
    std::vector<kernels::RigidPose> poses{{{1, 0, 0, 0}, {0, 0, 9}},
                                          {{std::cos(0.1), 0, std::sin(0.1), 0}, {1, 2, 10}},
                                          {{std::cos(0.4), 0, 0, std::sin(0.4)}, {-2, 0, 8}},
                                          {{1, 0, 0, 0}, {0, 0, 40}}};

    kernels::RefineProblem problem_of(const io::Structure& a, const io::Structure& b) const {
        std::vector<std::string> warnings;
        return make_refine_problem(make_molecule(a, warnings, potential.type_names),
                                   make_molecule(b, warnings, potential.type_names), {}, {},
                                   potential);
    }
    RepackedPartner partner(const io::Structure& structure,
                            const std::vector<kernels::RefineAtom>& atoms) const {
        return make_repacked_partner(structure, atoms, rotamer_library(), parameters);
    }
    Repacking repacking() const {
        return {test_device().backend, {receptor, ligand, problem, types, weights}, parameters};
    }
};

/// The number of side chains of a structure that can move.
std::size_t movable(const io::Structure& structure) {
    const Walls walls;
    const auto problem = walls.problem_of(structure, walls.ligand);
    return walls.partner(structure, problem.receptor).residues.size();
}

TEST(RepackedPartner, TheFirstRotamerIsTheFile) {
    Walls walls;
    walls.receptor = side_chain_wall("A", 1, 1, 14);
    walls.problem = walls.problem_of(walls.receptor, walls.ligand);
    const RepackedPartner partner = walls.partner(walls.receptor, walls.problem.receptor);
    ASSERT_EQ(partner.residues.size(), 16U);
    for (const kernels::PackSideChain& side : partner.packed.side_chains) {
        const std::string& residue = walls.receptor.atoms[side.atoms.front()].residue;
        EXPECT_EQ(side.rotamers, 1 + static_cast<int>(rotamer_library().at(residue).size()));
        for (std::size_t a = 0; a < side.atoms.size(); ++a) {
            const Vec3 at = walls.receptor.atoms[side.atoms[a]].position;
            EXPECT_EQ(side.positions[3 * a], static_cast<float>(at.x));
            EXPECT_EQ(side.positions[3 * a + 2], static_cast<float>(at.z));
        }
    }
}

TEST(RepackedPartner, IncompleteBoundAndUnknownSideChainsStay) {
    const io::Structure whole = side_chain_wall("A", 1, 1, 14);
    ASSERT_EQ(movable(whole), 16U);
    io::Structure without = whole;
    std::erase_if(without.atoms, [](const io::AtomRecord& atom) {
        return atom.residue_number == 1 &&
               atom.name == testing::built_atoms(atom.residue).back().name;
    });
    ASSERT_EQ(without.atoms.size(), whole.atoms.size() - 1);
    EXPECT_EQ(movable(without), 15U);
    io::Structure bound = whole, strange = whole, hetero = whole;
    const auto last = std::ranges::find_if(bound.atoms, [](const io::AtomRecord& atom) {
        return atom.residue_number == 6 && atom.name == "CB";
    });
    io::AtomRecord metal = *(last + 1);  // the first atom that moves
    metal.name = metal.residue = metal.variant = metal.element = "ZN";
    metal.hetero = true;
    metal.residue_index = 99;
    metal.position = metal.position + Vec3{0, 0, 2.1};
    bound.atoms.push_back(metal);
    EXPECT_EQ(movable(bound), 15U);
    io::AtomRecord more = strange.atoms.back();
    more.name = "P";
    strange.atoms.push_back(more);
    EXPECT_EQ(movable(strange), 15U);
    for (io::AtomRecord& atom : hetero.atoms) atom.hetero = atom.residue_number < 5;
    EXPECT_EQ(movable(hetero), 12U);
}

TEST(PackPlan, TakesTheSideChainsNearTheOtherPartner) {
    const Walls walls;
    const RepackedPartner receptor = walls.partner(walls.receptor, walls.problem.receptor),
                          ligand = walls.partner(walls.ligand, walls.problem.ligand);
    const PackPlan plan(receptor.packed, ligand.packed, walls.parameters.cutoff);
    for (const kernels::RigidPose& pose : walls.poses) {
        std::vector<std::pair<int, int>> expected, found;
        const Matrix3 turn = pose.rotation.matrix();
        for (const auto& [partner, own, other] :
             {std::tuple(0, &receptor, &walls.ligand), std::tuple(1, &ligand, &walls.receptor)})
            for (std::size_t i = 0; i < own->residues.size(); ++i) {
                const kernels::PackSideChain& side = own->packed.side_chains[i];
                double nearest = 1e9;
                for (const io::AtomRecord& atom : other->atoms)
                    nearest = std::min(
                        nearest, partner == 0
                                     ? norm(turn * atom.position + pose.translation - side.center)
                                     : norm(turn * side.center + pose.translation - atom.position));
                if (nearest < std::min(10.0, side.reach + 4))
                    expected.emplace_back(partner, static_cast<int>(i));
            }
        for (const kernels::PackNode& node : plan(pose).nodes)
            found.emplace_back(node.partner, node.side_chain);
        EXPECT_EQ(found, expected);
    }
    EXPECT_GT(plan(walls.poses[0]).nodes.size(), 12U);
    EXPECT_TRUE(plan(walls.poses[3]).nodes.empty());
}

/// The atoms of a partner after the repacking.
std::vector<kernels::RefineAtom> after(std::vector<kernels::RefineAtom> atoms,
                                       const MovedAtoms& moved) {
    for (std::size_t i = 0; i < moved.atoms.size(); ++i)
        atoms[moved.atoms[i]].position = moved.positions[i];
    return atoms;
}

/// Energy of all pairs of atoms of which one can move, but not within a residue.
double plain_energy(const Walls& walls, const kernels::RigidPose& pose,
                    const RepackedPartner& receptor, const RepackedPartner& ligand,
                    std::vector<kernels::RefineAtom> a, std::vector<kernels::RefineAtom> b) {
    const Matrix3 turn = pose.rotation.matrix();
    for (kernels::RefineAtom& atom : b) atom.position = turn * atom.position + pose.translation;
    double sum = 0;
    const auto add = [&](const kernels::RefineAtom& x, const kernels::RefineAtom& y) {
        sum += plain_pack_energy(walls.parameters, x, y, norm(x.position - y.position));
    };
    for (const kernels::RefineAtom& x : a)
        for (const kernels::RefineAtom& y : b) add(x, y);
    const auto within = [&](const std::vector<kernels::RefineAtom>& atoms,
                            const io::Structure& structure, const RepackedPartner& partner) {
        const std::vector<int>& moves = partner.packed.side_chain;
        for (std::size_t i = 0; i < atoms.size(); ++i)
            for (std::size_t j = i + 1; j < atoms.size(); ++j)
                if (structure.atoms[i].residue_index != structure.atoms[j].residue_index &&
                    (moves[i] >= 0 || moves[j] >= 0))
                    add(atoms[i], atoms[j]);
    };
    within(a, walls.receptor, receptor);
    within(b, walls.ligand, ligand);
    return sum;
}

TEST(Repacking, EnergiesAreThoseOfTheMovedAtoms) {
    Walls walls;
    walls.parameters.library_scale = 0;
    walls.parameters.input_bonus = 0;
    const Repacking repacking = walls.repacking();
    const auto repacked = repacking.repack(walls.poses);
    for (std::size_t i = 0; i < 3; ++i) {
        const RepackedPose& pose = repacked[i];
        const auto energy = [&](const MovedAtoms& a, const MovedAtoms& b) {
            return plain_energy(walls, walls.poses[i], repacking.receptor(), repacking.ligand(),
                                after(walls.problem.receptor, a), after(walls.problem.ligand, b));
        };
        const double change = energy(pose.receptor, pose.ligand) - energy({}, {});
        EXPECT_NEAR(pose.packed.energy - pose.packed.input_energy, change, 2e-2) << i;
        EXPECT_LT(change, -5) << i;
        EXPECT_GT(pose.moved_side_chains(), 3) << i;
    }
    EXPECT_EQ(repacked[3].moved_side_chains(), 0);
}

TEST(Repacking, RareRotamersCostTheirShare) {
    Walls walls;
    walls.parameters.depth = 0;
    walls.parameters.charge_scale = 0;
    walls.parameters.input_bonus = 0;
    // Without energies of atoms every side chain that is no frequent rotamer becomes one.
    const Repacking repacking = walls.repacking();
    const auto pose = repacking.repack({walls.poses[0]}).front();
    for (std::size_t n = 0; n < pose.plan.nodes.size(); ++n) EXPECT_LE(pose.packed.rotamers[n], 1);
    EXPECT_GT(pose.moved_side_chains(), 5);
    walls.parameters.input_bonus = 50;
    EXPECT_EQ(walls.repacking().repack({walls.poses[0]}).front().moved_side_chains(), 0);
}

/// What the consensus adds up for a pose, by the classes for partners at rest.
double plain_score(const Walls& walls, const kernels::RefineProblem& problem,
                   const io::Structure& receptor, const io::Structure& ligand,
                   const kernels::RigidPose& pose) {
    auto still = problem;
    still.parameters.evaluations = 1;  // the pose does not move
    const auto refined =
        make_pose_refinement(test_device().backend, still)->refine(std::span(&pose, 1)).front();
    EXPECT_LT(norm(refined.pose.translation - pose.translation), 1e-5);
    auto statistical = StatisticalEnergy(receptor, ligand, {}, statistical_potential()).terms(pose);
    statistical[2] = statistical[3] = 0;  // residues do not depend on side chains
    return std::inner_product(refined.terms.begin(), refined.terms.end(),
                              walls.weights.refined.begin(), 0.0) +
           contact_energy(ContactCounter(problem), walls.weights.contacts, pose) +
           weighted(walls.weights.statistical, statistical);
}

io::Structure moved(io::Structure structure, const MovedAtoms& atoms) {
    for (std::size_t i = 0; i < atoms.atoms.size(); ++i)
        structure.atoms[atoms.atoms[i]].position = atoms.positions[i];
    return structure;
}

TEST(Repacking, ScoresAreThoseOfTheMovedPartners) {
    const Walls walls;
    ASSERT_TRUE(walls.weights.has_statistical());
    const auto repacked = walls.repacking().repack(walls.poses);
    double relieved = 0;
    for (std::size_t i = 0; i < walls.poses.size(); ++i) {
        const RepackedPose& pose = repacked[i];
        EXPECT_NEAR(pose.score.before,
                    plain_score(walls, walls.problem, walls.receptor, walls.ligand, walls.poses[i]),
                    2e-4);
        auto problem = walls.problem;  // surface flags stay those of the files
        problem.receptor = after(problem.receptor, pose.receptor);
        problem.ligand = after(problem.ligand, pose.ligand);
        EXPECT_NEAR(pose.score.after,
                    plain_score(walls, problem, moved(walls.receptor, pose.receptor),
                                moved(walls.ligand, pose.ligand), walls.poses[i]),
                    2e-4);
        relieved += pose.score.clash_before - pose.score.clash_after;
    }
    EXPECT_GT(relieved, 3);
    EXPECT_EQ(repacked[3].score.before, 0);
}

TEST(Repacking, APoseDoesNotDependOnTheOthers) {
    const Walls walls;
    const Repacking repacking = walls.repacking();
    const auto together = repacking.repack(walls.poses);
    for (std::size_t i = 0; i < walls.poses.size(); ++i) {
        const auto alone = repacking.repack({walls.poses[i]}).front();
        EXPECT_EQ(alone.score.after, together[i].score.after);
        EXPECT_EQ(alone.packed.rotamers, together[i].packed.rotamers);
    }
}

TEST(RepackedConsensus, ScoresChangeByTheDifferenceFromTheMedian) {
    Consensus consensus;
    for (const double score : {-9.0, -8.0, -7.5, -5.0}) {
        ConsensusPose pose;
        pose.score = score;
        pose.origin.place = std::ssize(consensus.poses);
        consensus.poses.push_back(pose);
        consensus.quality.emplace_back().fnat = score;
    }
    const Consensus before = consensus;
    apply_changes(consensus, {{-1, -3, 0, 2}, {-4, -5, 0, 1}, {-2, 0, 0, 0}});  // median -2
    std::vector<double> scores;
    std::vector<std::int64_t> places;
    for (const ConsensusPose& pose : consensus.poses) {
        scores.push_back(pose.score);
        places.push_back(pose.origin.place);
    }
    EXPECT_EQ(scores, (std::vector<double>{-10, -8, -7.5, -5}));
    EXPECT_EQ(places, (std::vector<std::int64_t>{1, 0, 2, 3}));
    EXPECT_EQ(consensus.quality.front().fnat, -8.0);
    EXPECT_EQ(consensus.repack_median, -2);
    EXPECT_EQ(consensus.poses[0].repacked->side_chains, 1);
    EXPECT_FALSE(consensus.poses[3].repacked);
    undo_repacking(consensus);
    consensus.quality = before.quality;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(consensus.poses[i].score, before.poses[i].score);
    consensus.weights.repacked = {0, 2, 1};
    apply_changes(consensus, {{-1, -2, -2, 2}, {-4, -5, 0, 1}, {-2, 0, 0, 0}});  // -6, -10 and 0
    EXPECT_EQ(consensus.repack_median, -6);
    EXPECT_EQ(consensus.poses.front().origin.place, 1);
    EXPECT_EQ(consensus.poses.front().score, -12);
    EXPECT_EQ(consensus.poses.back().score, -1.5);
}

}  // namespace
}  // namespace tessera::docking
