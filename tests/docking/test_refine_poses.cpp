#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"
#include "docking/run/second_stage.hpp"

namespace tessera::docking {
namespace {

/// Gives back what it was given, but for one pose whose energy is no number.
class BreaksAt : public kernels::PoseRefinement {
  public:
    explicit BreaksAt(double x) : x_(x) {}

    std::vector<kernels::RefinedPose> refine(std::span<const kernels::RigidPose> poses) override {
        std::vector<kernels::RefinedPose> refined;
        for (const kernels::RigidPose& pose : poses) {
            refined.emplace_back().pose = pose;
            if (pose.translation.x == x_)
                refined.back().energy = std::numeric_limits<double>::quiet_NaN();
        }
        return refined;
    }
    std::vector<kernels::PoseForces> forces(std::span<const kernels::RigidPose>) override {
        return {};
    }

  private:
    double x_;
};

std::vector<kernels::RigidPose> poses(int count) {
    std::vector<kernels::RigidPose> all(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)].translation.x = i;
    return all;
}

TEST(RefinePosesAlone, KeepsTheOrderOverTiles) {
    BreaksAt none(-1);
    const auto refined = refine_poses(none, poses(2 * poses_per_tile + 1));
    ASSERT_EQ(refined.size(), static_cast<std::size_t>(2 * poses_per_tile + 1));
    for (std::size_t i = 0; i < refined.size(); ++i)
        EXPECT_EQ(refined[i].pose.translation.x, static_cast<double>(i));
}

TEST(RefinePosesAlone, ATileThatFailsIsAnErrorThatNamesIt) {
    BreaksAt second_tile(poses_per_tile + 3);
    try {
        refine_poses(second_tile, poses(2 * poses_per_tile));
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::numerics);
        EXPECT_NE(std::string(error.what()).find("tile 1 "), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace tessera::docking
