#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "known_objectives.hpp"
#include "likelihood/fit/steady_search.hpp"
#include "uneven_ranks.hpp"

namespace tessera::likelihood {

namespace {

using test::FunctionObjective;
using test::UnevenRanks;

MaximisePlan plan(Method method, int population, int generations) {
    MaximisePlan plan;
    plan.method = method;
    plan.asynchronous = true;
    plan.population = population;
    plan.generations = generations;
    plan.tolerance = 1e-3;
    plan.gain = 1e-12;
    plan.noise = 1e-15;
    return plan;
}

}  // namespace

class SteadySearches : public testing::TestWithParam<Method> {};
class GlobalSearches : public testing::TestWithParam<Method> {};

TEST_P(GlobalSearches, FindTheHighestOfManyMaximaWithLateAnswers) {
    auto chosen = plan(GetParam(), 60, 400);
    chosen.asynchronous = false;
    FunctionObjective quick(test::rastrigin(0.37));
    const auto in_generations = maximise(quick, Space(5), chosen);
    for (const std::size_t slow : {std::size_t{0}, std::size_t{1}, std::size_t{8}}) {
        FunctionObjective objective(test::rastrigin(0.37));
        UnevenRanks ranks(objective, slow);
        const auto found = maximise(objective, Space(5), plan(GetParam(), 60, 400), {}, &ranks);
        EXPECT_TRUE(found.converged);
        EXPECT_NEAR(found.best.value, 0, 1e-9) << slow;
        for (const double u : found.best.at) EXPECT_NEAR(u, 0.37, 1e-6);
        EXPECT_LT(found.start.value, -5);
        EXPECT_EQ(static_cast<std::size_t>(found.evaluations + found.slope_evaluations),
                  objective.asked);
        EXPECT_LE(static_cast<double>(found.evaluations),
                  1.25 * static_cast<double>(in_generations.evaluations));
    }
}

TEST_P(SteadySearches, AskForAsManyPointsAsTheGenerationsHave) {
    auto chosen = plan(GetParam(), 10, 7);
    chosen.starts = 3;
    chosen.tolerance = 0;
    FunctionObjective objective(test::rastrigin(0.6));
    const Space space(4);
    SteadySearch search(space, chosen);
    while (const auto proposal = search.propose()) {
        for (const double u : proposal->at) ASSERT_TRUE(u >= 0 && u <= 1) << u;
        ASSERT_EQ(proposal->number + 1, search.asked());
        search.accept(*proposal, objective.values({&proposal->at, 1}).front());
    }
    EXPECT_TRUE(search.over());
    EXPECT_EQ(search.taken(), 210);
    ASSERT_EQ(search.history().size(), 21u);
    EXPECT_EQ(search.history().back().evaluation, 210);
    double best = rejected;
    for (const auto& one : search.populations()) best = std::max(best, one->best().value);
    EXPECT_EQ(search.best().value, best);
}

TEST_P(SteadySearches, AMemberIsReplacedOnlyByABetterPoint) {
    const Space space(2);
    SteadySearch search(space, plan(GetParam(), 4, 10));
    std::vector<Proposal> first;
    for (int i = 0; i < 8; ++i) first.push_back(*search.propose());
    EXPECT_EQ(first[0].member, first[4].member);
    const auto value = [&] { return search.populations()[0]->members()[first[0].member].value; };
    search.accept(first[4], -2);  // before its parent is known
    EXPECT_EQ(value(), -2);
    search.accept(first[0], -3);
    EXPECT_EQ(value(), -2);
    search.accept(first[0], -1);
    EXPECT_EQ(value(), -1);
    search.accept(first[5], rejected);
    EXPECT_EQ(search.populations()[0]->members()[first[5].member].value, rejected);
}

namespace {

std::string method_name(const testing::TestParamInfo<Method>& one) {
    return one.param == Method::newton           ? "Newton"
           : one.param == Method::particle_swarm ? "ParticleSwarm"
                                                 : "DifferentialEvolution";
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Methods, SteadySearches,
                         testing::Values(Method::differential_evolution, Method::particle_swarm,
                                         Method::newton),
                         method_name);
INSTANTIATE_TEST_SUITE_P(Methods, GlobalSearches,
                         testing::Values(Method::differential_evolution, Method::particle_swarm),
                         method_name);

}  // namespace tessera::likelihood
