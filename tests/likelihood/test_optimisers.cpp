#include <gtest/gtest.h>

#include "known_objectives.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/quasi_newton.hpp"
#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

namespace {

using test::FunctionObjective;

QuasiNewton climbed(auto function, const Space& space, Point start, int evaluations = 1000) {
    FunctionObjective objective(function);
    QuasiNewton climb(space, std::move(start), {1e-14, 1e-15, evaluations});
    while (!climb.over()) {
        const std::vector<Point> one{climb.proposal()};
        climb.accept(objective.slopes(one).front());
    }
    return climb;
}

MaximisePlan plan(Method method, int population, int generations) {
    MaximisePlan plan;
    plan.method = method;
    plan.population = population;
    plan.generations = generations;
    plan.tolerance = 1e-3;
    plan.gain = 1e-12;
    plan.noise = 1e-15;
    return plan;
}

}  // namespace

TEST(RandomStream, NumbersAreTheSameEverywhere) {
    // By a program in Python that gives the authors' 6457827717110365317 for the bare seed 1234567.
    RandomStream random{7, 3}, other{3, 7};
    EXPECT_EQ(random.bits(), 0x76f4efa71491d631u);
    EXPECT_EQ(random.bits(), 0x7cbb1f86e7458c8au);
    EXPECT_NE(other.bits(), 0x76f4efa71491d631u);
    double sum = 0, squares = 0, normals = 0, normal_squares = 0;
    constexpr int count = 200000;
    for (int i = 0; i < count; ++i) {
        const double u = random.uniform(), z = random.normal();
        ASSERT_TRUE(u >= 0 && u < 1);
        sum += u, squares += u * u, normals += z, normal_squares += z * z;
    }
    EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
    EXPECT_NEAR(squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
    EXPECT_NEAR(normals / count, 0, 5 / std::sqrt(count));
    EXPECT_NEAR(normal_squares / count, 1, 5 * std::sqrt(2.0 / count));
}

TEST(QuasiNewton, FindsTheEndOfRosenbrocksValley) {
    const Space space(6);
    const auto climb = climbed(test::rosenbrock(-2, 2), space, Point(6, 0.2));
    EXPECT_TRUE(climb.converged());
    EXPECT_LT(climb.evaluations(), 200);
    for (const double u : climb.at()) EXPECT_NEAR(u, 0.75, 1e-6);
}

TEST(QuasiNewton, FindsTheMaximumOnTheCubesFace) {
    // In the box [-0.5, 0.5]^2 Rosenbrock's function is least at (0.5, 0.25).
    const Space space(2);
    const auto climb = climbed(test::rosenbrock(-0.5, 0.5), space, {0.1, 0.9});
    EXPECT_TRUE(climb.converged());
    EXPECT_EQ(climb.at()[0], 1.0);
    EXPECT_NEAR(climb.at()[1], 0.75, 1e-7);
    EXPECT_EQ(climb.loose(), std::vector<std::size_t>{1});
}

TEST(QuasiNewton, LeavesTheFaceWhereTheSlopePointsInwards) {
    const Space space(3);
    const auto climb = climbed(test::rosenbrock(-2, 2), space, {0.0, 1.0, 0.0});
    EXPECT_TRUE(climb.converged());
    for (const double u : climb.at()) EXPECT_NEAR(u, 0.75, 1e-6);
}

TEST(QuasiNewton, SaysSoWhereItRunsOutOfEvaluations) {
    const Space space(6);
    EXPECT_FALSE(climbed(test::rosenbrock(-2, 2), space, Point(6, 0.2), 10).converged());
}

class Searches : public testing::TestWithParam<Method> {};

TEST_P(Searches, FindTheHighestOfManyMaxima) {
    FunctionObjective objective(test::rastrigin(0.37));
    const Space space(5);
    const auto found = maximise(objective, space, plan(GetParam(), 60, 400));
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.best.value, 0, 1e-9);
    for (const double u : found.best.at) EXPECT_NEAR(u, 0.37, 1e-6);
    EXPECT_LT(found.start.value, -5);
    EXPECT_EQ(static_cast<std::size_t>(found.evaluations + found.slope_evaluations),
              objective.asked);
    for (std::size_t i = 1; i < found.history.size(); ++i)
        EXPECT_GE(found.history[i].evaluation, found.history[i - 1].evaluation);
}

TEST_P(Searches, StayInTheCube) {
    FunctionObjective objective([](const Point& u) {
        for (const double x : u) EXPECT_TRUE(x >= 0 && x <= 1) << x;
        return test::rosenbrock(-0.5, 0.5)(u);
    });
    const auto found = maximise(objective, Space(2), plan(GetParam(), 20, 100));
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(found.best.at[0], 1.0);
    EXPECT_EQ(found.errors.verdicts[0], Verdict::at_upper_bound);
    EXPECT_EQ(found.errors.verdicts[1], Verdict::determined);
}

TEST_P(Searches, DependOnTheSeedAlone) {
    const Space space(4);
    auto run = [&](std::uint64_t seed) {
        FunctionObjective objective(test::rastrigin(0.6));
        auto chosen = plan(GetParam(), 30, 40);
        chosen.seed = seed;
        chosen.starts = 2;
        return maximise(objective, space, chosen);
    };
    const auto one = run(1), same = run(1), other = run(2);
    ASSERT_EQ(one.history.size(), same.history.size());
    for (std::size_t i = 0; i < one.history.size(); ++i)
        EXPECT_EQ(one.history[i].best.at, same.history[i].best.at);
    EXPECT_NE(one.start.at, other.start.at);
}

TEST_P(Searches, SurvivePointsThatAreNotAllowed) {
    FunctionObjective objective([](const Point& u) {
        return u[0] + u[1] > 1.2 ? Slope{rejected, Point(2, 0.0)} : test::rosenbrock(-2, 2)(u);
    });
    const auto found = maximise(objective, Space(2), plan(GetParam(), 30, 200));
    EXPECT_GT(found.best.value, -0.5);
    EXPECT_LE(found.best.at[0] + found.best.at[1], 1.2);
}

INSTANTIATE_TEST_SUITE_P(Methods, Searches,
                         testing::Values(Method::differential_evolution, Method::particle_swarm),
                         [](const auto& info) {
                             return info.param == Method::particle_swarm ? "Swarm" : "Evolution";
                         });

TEST(Maximise, ManyClimbsFindTheHighestOfSeveralMaxima) {
    FunctionObjective objective(test::rastrigin(0.5));
    auto chosen = plan(Method::quasi_newton, 400, 1);
    chosen.starts = 40;
    const auto found = maximise(objective, Space(2), chosen);
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.best.value, 0, 1e-9);
    EXPECT_GT(found.climbs.size(), 5u);
}

TEST(Maximise, GivenPointsAreInTheFirstGeneration) {
    FunctionObjective objective(test::rastrigin(0.25));
    auto chosen = plan(Method::differential_evolution, 20, 1);
    chosen.given = {Point(8, 0.25)};
    EXPECT_EQ(maximise(objective, Space(8), chosen).start.value, 0);
}

}  // namespace tessera::likelihood
