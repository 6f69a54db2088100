// The search against brute force, route against route, pass against pass.
#include "kokkos_kernels/docking/correlation_search.hpp"

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstring>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "random_problem.hpp"

namespace tessera::kernels {
namespace {

using testing::ProblemSize;

constexpr std::int64_t plenty = std::int64_t{2} << 30;

#ifdef KOKKOS_ENABLE_CUDA
const std::vector<Backend> backends{Backend::openmp, Backend::cuda};
#else
const std::vector<Backend> backends{Backend::openmp};
#endif

void expect_brute_force(const CorrelationProblem& problem, Backend backend,
                        const std::vector<Quaternion>& bases) {
    const int base_count = static_cast<int>(bases.size()),
              sets = static_cast<int>(problem.sets.size());
    const auto found = make_correlation_search(backend, problem, plenty)->run(bases, 5);
    const int members = static_cast<int>(problem.group.size());
    std::size_t at = 0;
    for (int b = 0; b < base_count; ++b)
        for (int m = 0; m < members; ++m)
            for (int s = 0; s < sets; ++s) {
                const auto rotation = static_cast<std::uint32_t>((b + 5) * members + m);
                for (const PoseRecord& want :
                     testing::brute_force_poses(problem, bases[b], m, s, rotation)) {
                    ASSERT_LT(at, found.size());
                    const PoseRecord& got = found[at++];
                    ASSERT_EQ(got.rotation, want.rotation);
                    ASSERT_EQ(got.set, want.set);
                    ASSERT_EQ(got.voxel, want.voxel) << "rotation " << rotation << " set " << s;
                    ASSERT_NEAR(got.score, want.score, 1e-4 * std::abs(want.score) + 1e-4);
                }
            }
    EXPECT_EQ(at, found.size());
}

void expect_brute_force(const ProblemSize& size, Backend backend, int base_count) {
    expect_brute_force(testing::random_problem(size), backend,
                       testing::random_rotations(base_count));
}

class OnBackend : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, OnBackend, ::testing::ValuesIn(backends),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(OnBackend, OrbitRouteOneSetMatchesBruteForce) {
    expect_brute_force({.n = 12, .atoms = 30, .eigen_terms = 4, .sets = 1}, GetParam(), 2);
}

TEST_P(OnBackend, OrbitRouteFourSetsMatchesBruteForce) {
    expect_brute_force({.n = 10, .atoms = 25, .eigen_terms = 4, .sets = 4}, GetParam(), 1);
}

TEST_P(OnBackend, EighteenTermsAndEightSetsMatchBruteForce) {
    expect_brute_force({.n = 10, .atoms = 12, .eigen_terms = 18, .sets = 8, .orbit = false},
                       GetParam(), 3);
}

TEST_P(OnBackend, OneTermAndMoreBasesThanABatch) {
    expect_brute_force({.n = 14, .atoms = 20, .eigen_terms = 1, .sets = 2, .orbit = false},
                       GetParam(), 11);
}

TEST_P(OnBackend, PlanesAcrossTheAxesMatchBruteForce) {
    CorrelationProblem problem =
        testing::random_problem({.n = 14, .atoms = 20, .sets = 2, .orbit = false});
    problem.plane_point = Vec3{0.3, -1.2, 0.6};
    problem.exclusion = 2;
    auto bases = testing::random_rotations(9);
    bases.push_back({0, 0, 0, 1});      // whole planes of the grid
    bases.push_back({0.5, 0.8, 0, 0});  // and columns of it
    for (Quaternion& q : bases)
        q = {q.w / q.length(), q.x / q.length(), q.y / q.length(), q.z / q.length()};
    expect_brute_force(problem, GetParam(), bases);
}

/// A normal in no symmetric direction, and a slab that leaves a part of the grid.
CorrelationProblem problem_with_heights(const ProblemSize& size) {
    CorrelationProblem problem = testing::random_problem(size);
    problem.exclusion = 2;
    problem.heights = HeightRule{{2.0 / 7, -3.0 / 7, 6.0 / 7}, problem.ligand, -1.7, 0.9, false};
    return problem;
}

TEST_P(OnBackend, LigandsAboveOrBelowASlabMatchBruteForce) {
    const auto bases = testing::random_rotations(2);
    CorrelationProblem problem = problem_with_heights({.n = 14, .atoms = 12});
    expect_brute_force(problem, GetParam(), bases);
    problem.heights->high = std::numeric_limits<double>::infinity();
    expect_brute_force(problem, GetParam(), bases);
}

TEST_P(OnBackend, PointsInsideASlabMatchBruteForce) {
    CorrelationProblem problem =
        problem_with_heights({.n = 14, .atoms = 15, .sets = 2, .orbit = false});
    problem.heights->inside = true;
    problem.heights->points = {{0.4, -2, 1}, {1, 0, 0.5}};
    problem.heights->high = 3;
    expect_brute_force(problem, GetParam(), testing::random_rotations(11));
}

TEST_P(OnBackend, RotationsWithoutAPlaceHaveNoPosesAndFailuresAreStillSeen) {
    CorrelationProblem problem = problem_with_heights({.n = 12, .atoms = 15});
    problem.heights->low = -1000;
    problem.heights->high = 1000;
    const auto bases = testing::random_rotations(2);
    EXPECT_TRUE(make_correlation_search(GetParam(), problem, plenty)->run(bases, 0).empty());
    problem.channels[0].receptor[5] = std::numeric_limits<float>::quiet_NaN();
    const auto broken = make_correlation_search(GetParam(), problem, plenty);
    EXPECT_THROW(broken->run(bases, 0), TileFailure);
}

TEST_P(OnBackend, HeightsOfALoadedProblemAreThoseOfItsOwn) {
    const CorrelationProblem free = testing::random_problem({.n = 16, .atoms = 15, .sets = 2});
    const CorrelationProblem bound = problem_with_heights({.n = 16, .atoms = 15, .sets = 2});
    const auto bases = testing::random_rotations(3);
    for (const auto& [first, second] : {std::pair{&free, &bound}, std::pair{&bound, &free}}) {
        const auto search = make_correlation_search(GetParam(), *first, plenty);
        search->run(bases, 0);
        ASSERT_TRUE(search->load(*second, true));
        const auto a = search->run(bases, 0);
        const auto b = make_correlation_search(GetParam(), *second, plenty)->run(bases, 0);
        ASSERT_EQ(a.size(), b.size());
        EXPECT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(PoseRecord)));
    }
}

TEST_P(OnBackend, OrbitRouteEqualsGeneralRoute) {
    const CorrelationProblem orbit = testing::random_problem({.n = 20, .atoms = 60, .sets = 4});
    CorrelationProblem general = orbit;
    general.group = {SignedPermutation{}};
    const auto bases = testing::random_rotations(2);
    std::vector<Quaternion> all;
    for (const Quaternion& base : bases)
        for (const SignedPermutation& g : orbit.group) all.push_back(g.quaternion() * base);
    const auto a = make_correlation_search(GetParam(), orbit, plenty)->run(bases, 0);
    const auto b = make_correlation_search(GetParam(), general, plenty)->run(all, 0);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].rotation, b[i].rotation);
        EXPECT_EQ(a[i].voxel, b[i].voxel);
        EXPECT_NEAR(a[i].score, b[i].score, 1e-4 * std::abs(a[i].score));
    }
}

TEST_P(OnBackend, ShortMemoryGivesTheSameBits) {
    const CorrelationProblem problem = testing::random_problem({.n = 16, .atoms = 40, .sets = 4});
    const auto bases = testing::random_rotations(9);
    const auto wide = make_correlation_search(GetParam(), problem, plenty);
    // Too little for all members' spectra, enough for a few at a time.
    std::int64_t little = plenty;
    while (plan_memory(problem, GetParam(), little).members_resident == 24)
        little = little * 9 / 10;
    const auto narrow = make_correlation_search(GetParam(), problem, little);
    ASSERT_LT(narrow->memory().members_per_pass, 24);
    ASSERT_LE(narrow->memory().total(), little);
    const auto a = wide->run(bases, 0), b = narrow->run(bases, 0);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(PoseRecord)));
}

TEST_P(OnBackend, MemoryThatHoldsNothingIsRefusedInOneLine) {
    const CorrelationProblem problem = testing::random_problem({.n = 32});
    try {
        plan_memory(problem, GetParam(), 1 << 20);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::resources);
        EXPECT_NE(std::string(error.what()).find("32^3"), std::string::npos) << error.what();
    }
}

TEST_P(OnBackend, DirectTermsMatchTheDefinition) {
    const CorrelationProblem problem = testing::random_problem({.n = 18, .atoms = 50, .sets = 2});
    const auto bases = testing::random_rotations(3);
    const auto search = make_correlation_search(GetParam(), problem, plenty);
    const auto poses = search->run(bases, 0);
    std::vector<Quaternion> base_of_pose;
    for (const PoseRecord& pose : poses) base_of_pose.push_back(bases[pose.rotation / 24]);
    const auto terms = search->terms(poses, base_of_pose);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const auto want = testing::direct_terms(problem, base_of_pose[i],
                                                static_cast<int>(poses[i].rotation % 24),
                                                static_cast<int>(poses[i].voxel));
        double score = 0;
        for (int t = 0; t < max_terms; ++t) {
            EXPECT_NEAR(terms[i][t], want[t], 1e-12 * 100);
            score += problem.sets[poses[i].set][t] * terms[i][t];
        }
        EXPECT_NEAR(poses[i].score, score, 1e-4 * std::abs(score) + 1e-5);
    }
}

void expect_same_records(const std::vector<PoseRecord>& a, const std::vector<PoseRecord>& b) {
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(PoseRecord)));
}

TEST_P(OnBackend, ALoadedProblemGivesTheBitsOfASearchOfItsOwn) {
    const auto bases = testing::random_rotations(9);
    for (const int sets : {1, 4}) {
        const ProblemSize size{.n = 16, .atoms = 40, .sets = sets};
        const CorrelationProblem first = testing::random_problem(size, 1);
        CorrelationProblem second =
            testing::random_problem({.n = 16, .atoms = 70, .sets = sets}, 8);
        second.exclusion = 6;
        const auto search = make_correlation_search(GetParam(), first, plenty);
        search->run(bases, 0);
        ASSERT_TRUE(search->load(second, false));
        const auto own = make_correlation_search(GetParam(), second, plenty);
        expect_same_records(search->run(bases, 3), own->run(bases, 3));

        CorrelationProblem same_receptor = first;
        same_receptor.exclusion = second.exclusion;
        same_receptor.ligand = second.ligand;
        for (std::size_t c = 0; c < first.channels.size(); ++c)
            same_receptor.channels[c].ligand = second.channels[c].ligand;
        ASSERT_TRUE(search->load(first, false));
        ASSERT_TRUE(search->load(same_receptor, true));
        const auto other = make_correlation_search(GetParam(), same_receptor, plenty);
        expect_same_records(search->run(bases, 0), other->run(bases, 0));
    }
}

TEST_P(OnBackend, AProblemOfOtherSizesIsNotLoadedAndChangesNothing) {
    const ProblemSize size{.n = 12, .atoms = 30, .sets = 2};
    const CorrelationProblem problem = testing::random_problem(size);
    const auto bases = testing::random_rotations(2);
    const auto search = make_correlation_search(GetParam(), problem, plenty);
    const auto before = search->run(bases, 0);
    EXPECT_FALSE(search->load(testing::random_problem({.n = 14, .sets = 2}), false));
    EXPECT_FALSE(search->load(testing::random_problem({.n = 12, .sets = 3}), false));
    EXPECT_FALSE(
        search->load(testing::random_problem({.n = 12, .eigen_terms = 5, .sets = 2}), false));
    EXPECT_FALSE(
        search->load(testing::random_problem({.n = 12, .sets = 2, .orbit = false}), false));
    CorrelationProblem more_poses = problem;
    more_poses.poses_per_rotation = 7;
    EXPECT_FALSE(search->load(more_poses, false));
    expect_same_records(before, search->run(bases, 0));
}

TEST_P(OnBackend, TermSumsGiveTheBitsOfTheSearch) {
    const CorrelationProblem problem = testing::random_problem({.n = 18, .atoms = 50, .sets = 2});
    const auto bases = testing::random_rotations(3);
    const auto search = make_correlation_search(GetParam(), problem, plenty);
    const auto poses = search->run(bases, 0);
    std::vector<Quaternion> base_of_pose;
    for (const PoseRecord& pose : poses) base_of_pose.push_back(bases[pose.rotation / 24]);
    EXPECT_EQ(search->terms(poses, base_of_pose),
              make_term_sums(GetParam(), problem)->terms(poses, base_of_pose));
}

TEST_P(OnBackend, NotFiniteScoresFailTheTile) {
    CorrelationProblem problem = testing::random_problem({.n = 10});
    problem.channels[2].receptor[7] = std::numeric_limits<float>::quiet_NaN();
    const auto search = make_correlation_search(GetParam(), problem, plenty);
    EXPECT_THROW(search->run(testing::random_rotations(1), 0), TileFailure);
}

}  // namespace
}  // namespace tessera::kernels
