#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/octahedral_group.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"
#include "plan/docking_plan.hpp"

namespace tessera::plan {
namespace {

DockingSize docking(int n, int sets, int channels = 7) {
    return {n, channels, sets, 24, 70008, 2000};
}

kernels::SearchMemory resident(int members = 24) {
    kernels::SearchMemory memory;
    memory.members_resident = members;
    memory.members_per_pass = 1;
    return memory;
}

double microseconds(int n, int sets) {
    return 1e6 * table_rotation_seconds(require_known_gpu("H200"), docking(n, sets), resident());
}

/// docs/method/benchmarks.md: microseconds a rotation on one H200.
TEST(DockingModel, MeetsWhatAnH200Took) {
    const struct {
        int n, sets;
        double microseconds;
    } measured[] = {{80, 1, 4.35},   {80, 8, 20.38},  {96, 4, 16.58},  {108, 4, 24.39},
                    {128, 1, 13.57}, {128, 4, 35.66}, {128, 8, 66.84}, {144, 4, 54.21},
                    {160, 1, 27.48}, {160, 8, 155.4}, {192, 1, 48.74}, {192, 4, 134.7}};
    for (const auto& one : measured)
        EXPECT_NEAR(microseconds(one.n, one.sets) / one.microseconds, 1, 0.12)
            << one.n << "^3, " << one.sets << " sets";
}

/// docs/method/docking-refinement.md: poses refined on one H200, by the ligand's atoms.
TEST(DockingModel, RefinementMeetsWhatAnH200Took) {
    const struct {
        double atoms, poses, seconds;
    } measured[] = {{420, 4392, 0.178}, {6432, 3768, 0.295}};
    for (const auto& one : measured) {
        DockingSize size = docking(128, 4);
        size.atoms = one.atoms;
        const double pose = table_refine_seconds(require_known_gpu("H200"), size);
        EXPECT_NEAR(pose * one.poses / one.seconds, 1, 0.02) << one.atoms << " atoms";
        EXPECT_GT(table_refine_seconds(require_known_gpu("A100"), size), pose);
    }
}

docking::DockInput with_sets(std::vector<docking::CoefficientSet> sets) {
    docking::DockInput input;
    input.sets = std::move(sets);
    input.poses = 100;
    input.consensus.refine = 2000;
    return input;
}

TEST(DockingModel, PosesOfSetsWithoutThePairTermAreRefinedWhereNoOtherIsThere) {
    const docking::CoefficientSet pair{"pair", {0.4, -0.4, 300, 1}};
    const docking::CoefficientSet shape{"shape", {0.8, -0.4, 500, 0}};
    EXPECT_EQ(refined_poses(with_sets({pair}), 70008), 2000);  // more than the file keeps
    EXPECT_EQ(refined_poses(with_sets({shape}), 70008), 2000);
    EXPECT_EQ(refined_poses(with_sets({pair, shape}), 70008), 2000);
    EXPECT_EQ(refined_poses(with_sets({pair}), 24), 96);  // 4 a rotation
    const double three = refined_poses(with_sets({pair, pair, pair}), 70008);
    EXPECT_GT(three, 2000);
    EXPECT_LT(three, 6000);  // some stand in several lists
    docking::DockInput none = with_sets({pair});
    none.consensus.refine = 0;
    EXPECT_EQ(refined_poses(none, 70008), 0);
}

TEST(DockingModel, MoreWorkTakesLonger) {
    const DeviceDescription gpu = require_known_gpu("A100");
    const auto seconds = [&](const DockingSize& size, int members = 24) {
        return table_rotation_seconds(gpu, size, resident(members));
    };
    EXPECT_GT(seconds(docking(128, 4)), seconds(docking(120, 4)));
    EXPECT_GT(seconds(docking(128, 5)), seconds(docking(128, 4)));
    EXPECT_GT(seconds(docking(128, 4, 9)), seconds(docking(128, 4, 7)));
    EXPECT_GT(seconds(docking(128, 4), 6), seconds(docking(128, 4), 24));
    DockingSize alone = docking(128, 4);
    alone.members = 1;  // every rotation is transformed by itself
    EXPECT_GT(table_rotation_seconds(gpu, alone, resident(1)), seconds(docking(128, 4)));
    EXPECT_GT(seconds(docking(128, 4)),
              table_rotation_seconds(require_known_gpu("H200"), docking(128, 4), resident()));
}

kernels::CorrelationProblem problem(int n) {
    kernels::CorrelationProblem problem;
    problem.n = n;
    const auto group = octahedral_group();
    problem.group.assign(group.begin(), group.end());
    problem.sets = {{1, -1, 1, 1}, {1, 0, 0, 0}};
    problem.channels.resize(7);
    return problem;
}

TEST(MemoryPlan, AGpuThatIsNotHereIsPlannedWithItsWorkspace) {
    const DeviceDescription gpu = require_known_gpu("A100");
    const auto memory = kernels::plan_memory(problem(128), kernels::Backend::cuda,
                                             memory_budget(gpu.backend, gpu.free_bytes, 0));
    EXPECT_GT(memory.workspace_bytes, 0);
    EXPECT_EQ(memory.members_resident, 24);
    EXPECT_THROW(kernels::plan_memory(problem(500), kernels::Backend::cuda,
                                      memory_budget(gpu.backend, gpu.free_bytes, 4)),
                 Error);
}

}  // namespace
}  // namespace tessera::plan
