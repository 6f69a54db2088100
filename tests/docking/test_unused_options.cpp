#include "docking/setup/unused_options.hpp"

#include <gtest/gtest.h>

namespace tessera::docking {
namespace {

using Lines = std::vector<std::string>;

TEST(UnusedOptions, OfRestraintsWithoutRestraints) {
    DockInput input;
    EXPECT_EQ(unused_options(input), Lines{});
    input.restraints.pull = 3;
    input.restraints.tolerance = 1;
    EXPECT_EQ(unused_options(input),
              Lines{"--restraints-tolerance, --restraints-pull without --restraints: there are no "
                    "restraints, so that nothing changes"});
    input.restraints.files = {"links.csv"};
    EXPECT_EQ(unused_options(input), Lines{});
}

TEST(UnusedOptions, OfTheRefinementWithoutIt) {
    DockInput input;
    input.restraints.files = {"links.csv"};
    input.restraints.tolerance = 1;  // the search uses it
    input.restraints.weight = 2;
    input.restraints.closeness = 0;
    input.consensus.duplicate_radius = 4;
    EXPECT_EQ(unused_options(input), Lines{});
    input.consensus.refine = 0;
    EXPECT_EQ(unused_options(input),
              Lines{"--duplicate-radius, --restraints-weight, --restraints-closeness without "
                    "--refine: no poses are refined, so that nothing changes"});
}

TEST(UnusedOptions, TheNumberOfRotationsBesideAFileOfThem) {
    DockInput input;
    input.rotations = 3600;
    EXPECT_EQ(unused_options(input), Lines{});
    input.rotation_file = "own.rot";
    EXPECT_EQ(unused_options(input), Lines{"--rotations with --rotation-file: the rotations are "
                                           "those of the file, so that nothing changes"});
}

TEST(UnusedOptions, OfPairsOnlyWhereNoneUsesThem) {
    std::vector<DockInput> pairs(3);
    for (DockInput& pair : pairs) pair.restraints.pull = 3;
    const auto of_pairs = [&](std::size_t count) {
        return unused_by_all(count, [&](std::size_t i) { return pairs[i]; });
    };
    EXPECT_EQ(of_pairs(0), Lines{});
    EXPECT_EQ(of_pairs(3), unused_options(pairs[0]));
    pairs[2].restraints.files = {"links.csv"};
    EXPECT_EQ(of_pairs(2), unused_options(pairs[0]));
    EXPECT_EQ(of_pairs(3), Lines{});
}

}  // namespace
}  // namespace tessera::docking
