// Run on 1, 2, 3 and 4 ranks: refined poses have the same bits on any number of them.
#include <gtest/gtest.h>

#include <cstring>

#include "docking/run/second_stage.hpp"
#include "docking/synthetic_molecules.hpp"
#include "support/test_device.hpp"

namespace tessera::docking {
namespace {

/// More than two tiles of poses around a small pair.
struct SmallCase {
    kernels::RefineProblem problem;
    std::vector<kernels::RigidPose> starts;

    SmallCase() {
        const Molecule receptor = testing::random_molecule(120, 8, {}, 3);
        const Molecule ligand = testing::random_molecule(30, 4, {}, 4);
        problem = make_refine_problem(receptor, ligand, {}, {}, atomic_contact_energies());
        problem.parameters.evaluations = 3;
        for (int i = 0; i < 2 * poses_per_tile + 90; ++i) {
            const double angle = 0.01 * i, high = -0.9 + 1.8 * (i % 97) / 97.0;
            const double out = 11 * std::sqrt(1 - high * high);
            starts.push_back({{std::cos(angle), 0, std::sin(angle), 0},
                              {out * std::cos(37 * angle), out * std::sin(37 * angle), 11 * high}});
        }
    }
};

TEST(RefinePoses, SameBitsOnAnyNumberOfRanks) {
    const auto world = mpi::Communicator::world();
    SmallCase input;
    const auto refinement = make_pose_refinement(test_device().backend, input.problem);
    const auto alone = refine_poses(*refinement, input.starts);
    ASSERT_EQ(alone.size(), input.starts.size());
    // Only the root's starts count.
    const auto refined =
        refine_poses(world, refinement.get(),
                     world.is_root() ? input.starts : std::vector<kernels::RigidPose>{});
    if (!world.is_root()) return;
    ASSERT_EQ(refined.size(), alone.size());
    int moved = 0;
    for (std::size_t i = 0; i < refined.size(); ++i) {
        ASSERT_EQ(std::memcmp(&refined[i], &alone[i], sizeof(alone[i])), 0) << i;
        if (refined[i].energy < refined[i].start_energy) ++moved;
    }
    EXPECT_GT(moved, 900);
}

TEST(RefinePoses, TheRootNeedsNoDevice) {
    const auto world = mpi::Communicator::world();
    SmallCase input;
    const auto refinement = make_pose_refinement(test_device().backend, input.problem);
    auto* mine = world.is_root() ? nullptr : refinement.get();
    if (world.size() == 1) {
        EXPECT_THROW(refine_poses(world, mine, input.starts), mpi::SharedError);
        return;
    }
    const auto refined = refine_poses(world, mine, input.starts);
    if (!world.is_root()) return;
    const auto alone = refine_poses(*refinement, input.starts);
    ASSERT_EQ(refined.size(), alone.size());
    EXPECT_EQ(std::memcmp(refined.data(), alone.data(), alone.size() * sizeof(alone[0])), 0);
}

TEST(RefinePoses, NoPosesAreNoWork) {
    const auto world = mpi::Communicator::world();
    SmallCase input;
    const auto refinement = make_pose_refinement(test_device().backend, input.problem);
    EXPECT_TRUE(refine_poses(world, refinement.get(), {}).empty());
}

TEST(RefinePoses, AStopIsTheSameErrorOnAllRanks) {
    const auto world = mpi::Communicator::world();
    SmallCase input;
    const auto refinement = make_pose_refinement(test_device().backend, input.problem);
    const std::atomic<bool> stop = true;
    const auto watch = [&](const auto&, auto&, std::int64_t) { return TileLoopControl{&stop, {}}; };
    EXPECT_THROW(refine_poses(world, refinement.get(), input.starts, {nullptr, watch}),
                 mpi::SharedError);
}

}  // namespace
}  // namespace tessera::docking
