#include "docking/screen/normalised_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera::docking {
namespace {

using Scores = std::vector<std::optional<double>>;

TEST(NormalisedScores, ComparePairsWithinTheirRowAndColumn) {
    // Receptor 0 has 1, 5 and 9: mean 5, deviation sqrt(32/3). Ligand 0 has 1 and 3: mean 2, 1.
    const auto all = normalised_scores(Scores{1, 5, 9, 3, 3, 3}, 3);
    ASSERT_EQ(all.size(), 6U);
    EXPECT_NEAR(all[0]->receptor_z, -4 / std::sqrt(32.0 / 3), 1e-12);
    EXPECT_NEAR(all[0]->ligand_z, -1, 1e-12);
    EXPECT_NEAR(all[0]->interaction, (all[0]->receptor_z - 1) / 2, 1e-12);
    EXPECT_EQ(all[4]->receptor_z, 0) << "all ligands of this receptor are alike";
    EXPECT_NEAR(all[2]->ligand_z, 1, 1e-12);
    EXPECT_EQ(all[0]->rank, 3);
    EXPECT_EQ(all[1]->rank, 2);
    EXPECT_EQ(all[2]->rank, 1);
}

TEST(NormalisedScores, TheLigandThatSticksToAllIsNoPartnerOfAll) {
    // Ligand 0 scores well with every receptor, but receptor 1 stands out among those of ligand 1.
    const auto all = normalised_scores(Scores{10, 0, 0, 10, 9, 0, 10, 0, 0}, 3);
    EXPECT_EQ(all[3]->rank, 2);
    EXPECT_EQ(all[4]->rank, 1);
    EXPECT_EQ(all[0]->rank, 1);
}

TEST(NormalisedScores, PairsWithoutResultDoNotCount) {
    const auto all =
        normalised_scores(Scores{1, std::nullopt, 3, std::nullopt, std::nullopt, 7}, 3);
    EXPECT_FALSE(all[1] || all[3] || all[4]);
    EXPECT_NEAR(all[0]->receptor_z, -1, 1e-12);  // of 1 and 3
    EXPECT_NEAR(all[2]->ligand_z, -1, 1e-12);    // of 3 and 7
    EXPECT_EQ(all[0]->ligand_z, 0);              // alone
    EXPECT_EQ(all[5]->rank, 1);
    EXPECT_TRUE(normalised_scores({}, 3).empty());
}

TEST(NormalisedScores, TiesGoToTheEarlierLigand) {
    const auto all = normalised_scores(Scores{2, 2, 2, 2}, 4);
    for (std::size_t l = 0; l < 4; ++l) EXPECT_EQ(all[l]->rank, static_cast<std::int64_t>(l) + 1);
}

}  // namespace
}  // namespace tessera::docking
