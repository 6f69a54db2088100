// The share of contacts that CDRs make, against all pairs.
#include "docking/refinement/cdr_share.hpp"

#include <gtest/gtest.h>

#include "random_refine_problem.hpp"

namespace tessera::docking {
namespace {

/// Every third atom of the receptor and every second of the ligand.
CdrAtoms some_atoms(const kernels::RefineProblem& problem) {
    CdrAtoms flags{std::vector<bool>(problem.receptor.size()),
                   std::vector<bool>(problem.ligand.size())};
    for (std::size_t i = 0; i < flags[0].size(); i += 3) flags[0][i] = true;
    for (std::size_t j = 0; j < flags[1].size(); j += 2) flags[1][j] = true;
    return flags;
}

/// The shares of receptor and ligand in all pairs of atoms below 6 Angstrom.
std::array<double, 2> shares_of_all_pairs(const kernels::RefineProblem& problem,
                                          const CdrAtoms& flags, const kernels::RigidPose& pose) {
    double contacts = 0, by_receptor = 0, by_ligand = 0;
    for (std::size_t j = 0; j < problem.ligand.size(); ++j) {
        const Vec3 p = pose.rotation.matrix() * problem.ligand[j].position + pose.translation;
        for (std::size_t i = 0; i < problem.receptor.size(); ++i) {
            if (norm(problem.receptor[i].position - p) >= 6) continue;
            ++contacts;
            by_receptor += flags[0][i];
            by_ligand += flags[1][j];
        }
    }
    EXPECT_GT(contacts, 0);
    return {by_receptor / contacts, by_ligand / contacts};
}

TEST(CdrShare, IsThatOfAllPairs) {
    const auto problem = testing::random_refine_problem();
    const ContactCounter counter(problem);
    const CdrAtoms both = some_atoms(problem);
    CdrAtoms of_receptor, of_ligand;
    of_receptor[0] = both[0];
    of_ligand[1] = both[1];
    for (const double shift : {0.0, 9.0, 14.0}) {
        const kernels::RigidPose pose{{1, 0, 0, 0}, {shift, 1, -2}};
        const auto [receptor, ligand] = shares_of_all_pairs(problem, both, pose);
        EXPECT_NEAR(cdr_share(counter, of_receptor, pose), receptor, 1e-15) << shift;
        EXPECT_NEAR(cdr_share(counter, of_ligand, pose), ligand, 1e-15) << shift;
        EXPECT_NEAR(cdr_share(counter, both, pose), (receptor + ligand) / 2, 1e-15) << shift;
    }
}

TEST(CdrShare, IsNothingWithoutContactsOrAntibodies) {
    const auto problem = testing::random_refine_problem();
    const ContactCounter counter(problem);
    EXPECT_EQ(cdr_share(counter, some_atoms(problem), {{1, 0, 0, 0}, {900, 0, 0}}), 0);
    EXPECT_EQ(cdr_share(counter, CdrAtoms{}, {{1, 0, 0, 0}, {9, 1, -2}}), 0);
    EXPECT_FALSE(has_cdrs(CdrAtoms{}));
    CdrAtoms of_ligand;
    of_ligand[1] = {false};
    EXPECT_TRUE(has_cdrs(of_ligand));
}

}  // namespace
}  // namespace tessera::docking
