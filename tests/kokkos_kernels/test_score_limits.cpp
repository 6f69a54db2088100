// Scores above a limit are not written. Poses must not depend on that.
#include "kokkos_kernels/docking/score_limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "kokkos_kernels/docking/correlation_search.hpp"
#include "kokkos_kernels/docking/fused_transform_sizes.hpp"
#include "kokkos_kernels/docking/fused_transforms.hpp"
#include "kokkos_kernels/docking/pose_filter.hpp"
#include "kokkos_kernels/fft/fft_plan.hpp"
#include "random_problem.hpp"

namespace tessera::kernels {
namespace {

TEST(LearnedLimits, LieAboveTheLastPosesAndForgetAnException) {
    LearnedLimits learned(true);
    EXPECT_FALSE(learned.are_set());
    learned.learn({-400, -100});
    EXPECT_TRUE(learned.are_set());
    EXPECT_FLOAT_EQ(learned.limits().of_set[0], -340);
    EXPECT_FLOAT_EQ(learned.limits().of_set[1], -85);
    EXPECT_EQ(learned.limits().of_set[2], ScoreLimits::none);
    learned.learn({-200, -400});
    EXPECT_FLOAT_EQ(learned.limits().of_set[0], -170);  // at once
    EXPECT_FLOAT_EQ(learned.limits().of_set[1], -110.5);
    for (int pass = 0; pass < 100; ++pass) learned.learn({-400, -400});
    EXPECT_NEAR(learned.limits().of_set[0], -340, 1);
    learned.learn({3, -400});
    EXPECT_EQ(learned.limits().of_set[0], ScoreLimits::none);
    EXPECT_TRUE(learned.are_set());
    learned.forget();
    EXPECT_FALSE(learned.are_set());
}

TEST(LearnedLimits, ThatDoNotApplyAreNeverSet) {
    LearnedLimits learned(false);
    learned.learn({-400});
    EXPECT_FALSE(learned.are_set());
}

template <class Device>
struct Grids {
    View2<float, Device> scores, minima;
};

/// Two transforms of two sets of random spectra, by the last two axes of the fused transform.
template <class Device>
Grids<Device> scored(int n, const ScoreLimits& limits) {
    const typename Device::execution_space space;
    const FftShape shape{n};
    std::vector<float> host(static_cast<std::size_t>(shape.points()) * 4);
    std::mt19937 random(9);
    for (float& value : host) value = static_cast<float>(random()) * 0x1p-31F - 1.0F;
    const auto grids = to_device<float, Device>(space, "grids", host.data(), host.size());
    const Grids<Device> got{View2<float, Device>("scores", 4, 2 * shape.spectrum_stride()),
                            View2<float, Device>("minima", 4, CellShape{n}.cells())};
    auto* spectra = reinterpret_cast<Complex*>(got.scores.data());
    FftPlan3d<Device>(space, shape, 1).forward(grids.data(), spectra, 4);
    const FusedTransforms<Device> fused(space, n);
    fused.inverse_x(space, spectra, 4);
    fused.inverse_planes(space, spectra, got.minima.data(), 4, 2, limits);
    space.fence();
    return got;
}

template <class View>
auto on_host(const View& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Limits that one in `cells` cells of each set is below.
template <class Device>
ScoreLimits limits_of(const Grids<Device>& all, std::size_t cells = 25) {
    const auto minima = on_host(all.minima);
    ScoreLimits limits;
    for (int set = 0; set < 2; ++set) {
        std::vector<float> values(&minima(set, 0), &minima(set, 0) + minima.extent(1));
        std::ranges::sort(values);
        limits.of_set[set] = values[values.size() / cells + static_cast<std::size_t>(set)];
    }
    return limits;
}

template <class Device>
void expect_the_same_cells_below_limits(int n) {
    const Grids<Device> all = scored<Device>(n, {});
    const ScoreLimits limits = limits_of(all);
    const Grids<Device> some = scored<Device>(n, limits);
    const auto want = on_host(all.scores), got = on_host(some.scores);
    const auto minima = on_host(all.minima), got_minima = on_host(some.minima);
    EXPECT_EQ(std::memcmp(minima.data(), got_minima.data(), minima.span() * sizeof(float)), 0);
    const CellShape cells{n};
    int below = 0, differ = 0;
    for (int t = 0; t < 4; ++t)
        for (int cell = 0; cell < cells.cells(); ++cell) {
            bool same = true;
            for (int row = 0; row < cells.row_count(cell); ++row) {
                const std::int64_t at = cells.offset(cell) + row * cells.row_floats();
                same = same && std::memcmp(&want(t, at), &got(t, at), n * sizeof(float)) == 0;
            }
            const bool is_below = minima(t, cell) <= limits.of_set[t % 2];
            below += is_below;
            differ += !same;
            ASSERT_TRUE(same || !is_below) << "n = " << n << ", cell " << cell;
        }
    EXPECT_GT(below, 0);
    // Most cells are left out, except where shared memory has no room for their minima.
    if (n != 240) {
        EXPECT_GT(differ, 3 * cells.cells());
    }
}

template <class Device>
struct Chosen {
    View2<float, Device> score{"score", 4, 3};
    View2<int, Device> voxel{"voxel", 4, 3};

    Chosen(const Grids<Device>& grids, int n, const ScoreLimits& limits) {
        const typename Device::execution_space space;
        const View2<float, Device> minima("minima", 4, CellShape{n}.cells());
        Kokkos::deep_copy(minima, grids.minima);
        SelectPoses<Device>{grids.scores, minima, score, voxel, {n}, 3, 20, {}, {}, 2, limits}
            .launch(space, 4);
        space.fence();
    }
};

template <class Device>
void expect_the_same_poses(int n, std::size_t cells) {
    const Grids<Device> all = scored<Device>(n, {});
    ScoreLimits limits = limits_of(all, cells);
    const Grids<Device> some = scored<Device>(n, limits);
    const Chosen<Device> whole(all, n, {}), limited(some, n, limits);
    const auto score = on_host(whole.score), limited_score = on_host(limited.score);
    const auto voxel = on_host(whole.voxel), limited_voxel = on_host(limited.voxel);
    for (int t = 0; t < 4; ++t)
        for (int p = 0; p < 3; ++p) {
            EXPECT_EQ(score(t, p), limited_score(t, p));
            EXPECT_EQ(voxel(t, p), limited_voxel(t, p));
        }
    limits.of_set[0] = std::nextafter(score(0, 1), -INFINITY);
    const auto hidden = on_host(Chosen<Device>(scored<Device>(n, limits), n, limits).score);
    EXPECT_EQ(hidden(0, 0), score(0, 0));
    EXPECT_EQ(hidden(0, 1), ScoreLimits::beyond_limit);
    EXPECT_EQ(hidden(1, 2), score(1, 2));
}

template <class Device>
class ScoreLimitsOn : public ::testing::Test {};
#ifdef KOKKOS_ENABLE_CUDA
using Devices = ::testing::Types<OpenMPDevice, CudaDevice>;
#else
using Devices = ::testing::Types<OpenMPDevice>;
#endif
TYPED_TEST_SUITE(ScoreLimitsOn, Devices);

TYPED_TEST(ScoreLimitsOn, CellsBelowThemAreWritten) {
    if (is_host<TypeParam>) {
        // With and without a last row of cells that is not full, and the one that writes all cells.
        for (const int n : {48, 54, 64, 90, 108, 240})
            expect_the_same_cells_below_limits<TypeParam>(n);
    } else {
        for (const TransformCut& cut : transform_cuts)
            expect_the_same_cells_below_limits<TypeParam>(cut.n);
    }
}

TYPED_TEST(ScoreLimitsOn, PosesAreTheSameOrMarked) {
    for (const int n : {48, 90}) expect_the_same_poses<TypeParam>(n, 25);
    ASSERT_GT(CellShape{90}.cells() / 2, SelectPoses<TypeParam>::list_size);
    expect_the_same_poses<TypeParam>(90, 2);  // more cells than a list holds
}

#ifdef KOKKOS_ENABLE_CUDA
const std::vector<Backend> backends{Backend::openmp, Backend::cuda};
#else
const std::vector<Backend> backends{Backend::openmp};
#endif

class LimitedSearch : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, LimitedSearch, ::testing::ValuesIn(backends),
                         [](const auto& info) { return name_of(info.param); });

/// Only a GPU has limits. The few atoms make bases differ, and a search whose poses become worse
/// must score passes again.
void expect_the_bits_of_fresh_searches(const CorrelationProblem& problem, Backend backend) {
    const auto search = [&] {
        return make_correlation_search(backend, problem, std::int64_t{2} << 30);
    };
    struct Batch {
        std::vector<Quaternion> bases;
        std::vector<PoseRecord> poses;
        float highest = -INFINITY;
    };
    std::vector<Batch> batches(3);
    for (unsigned i = 0; i < batches.size(); ++i) {
        Batch& batch = batches[i];
        batch.bases = testing::random_rotations(bases_per_batch, 20 + i);
        batch.poses = search()->run(batch.bases, 0);
        for (const PoseRecord& pose : batch.poses)
            batch.highest = std::max(batch.highest, pose.score);
    }
    std::ranges::sort(batches, {}, &Batch::highest);
    const auto learning = search();
    for (int repeat = 0; repeat < 2; ++repeat)
        for (const Batch& batch : batches) {
            const auto poses = learning->run(batch.bases, 0);
            ASSERT_EQ(poses.size(), batch.poses.size());
            EXPECT_EQ(
                std::memcmp(poses.data(), batch.poses.data(), poses.size() * sizeof(PoseRecord)),
                0);
        }
}

TEST_P(LimitedSearch, GivesTheBitsOfSearchesThatHaveLearnedNothing) {
    expect_the_bits_of_fresh_searches(
        testing::random_problem({.n = 48, .atoms = 6, .eigen_terms = 4, .sets = 4}), GetParam());
}

TEST_P(LimitedSearch, RotationsWithoutALastPoseSetNoLimits) {
    CorrelationProblem problem = testing::random_problem({.n = 48, .atoms = 6, .sets = 1});
    problem.exclusion = 200;  // One pose excludes the whole grid.
    expect_the_bits_of_fresh_searches(problem, GetParam());
}

}  // namespace
}  // namespace tessera::kernels
