#include <gtest/gtest.h>

#include "plan/likelihood_plan.hpp"

namespace tessera::plan {
namespace {

using likelihood::SamplePlan;
using likelihood::Sampler;

SamplePlan nuts(int warmup, int draws, int most_doublings) {
    SamplePlan plan;
    plan.warmup = warmup;
    plan.draws = draws;
    plan.most_doublings = most_doublings;
    return plan;
}

double gradients(const SamplePlan& plan, std::size_t free) {
    const SampleEvaluations count = expected_evaluations(plan, free);
    EXPECT_EQ(count.start.values + count.draws.values, 0);
    return count.start.gradients + count.draws.gradients;
}

TEST(SampleEstimate, NoTrajectoryIsLongerThanItMayBe) {
    for (const std::size_t free : {1, 5, 26, 60}) {
        const SampleEvaluations count = expected_evaluations(nuts(100, 400, 3), free);
        EXPECT_LE(count.draws.gradients, 4 * 500 * 7);
        EXPECT_GE(count.draws.gradients, 4 * 500);
    }
}

TEST(SampleEstimate, IsWithinATwofoldOfWhatSamplingsTook) {
    struct Run {
        SamplePlan plan;
        std::size_t free;
        double gradients;
    };
    // docs/guide/sampling.md, docs/notebook/sampling.md and docs/method/sampling.md.
    const Run runs[] = {{nuts(300, 1000, 10), 3, 24657},
                        {nuts(200, 250, 10), 14, 89980},
                        {nuts(500, 2000, 6), 26, 48 * 10000}};
    for (const Run& run : runs) {
        EXPECT_LT(gradients(run.plan, run.free), 2 * run.gradients);
        EXPECT_GT(gradients(run.plan, run.free), run.gradients / 2);
    }
}

TEST(SampleEstimate, ScoutsOfHillsAreCounted) {
    SamplePlan plan = nuts(500, 2000, 6);
    EXPECT_EQ(expected_evaluations(plan, 26, 3).scouts.gradients, 0);  // nothing is looked for
    plan.most_hills = SamplePlan::any_hills;
    // docs/method/sampling.md: 24 climbs for each direction, two gradients for each draw at most,
    // and none with fewer than 400 for each direction. A climb counts as 100.
    EXPECT_EQ(expected_evaluations(plan, 26, 3).scouts.gradients, 3 * 24 * 100);
    EXPECT_EQ(expected_evaluations(plan, 26, 0).scouts.gradients, 0);
    EXPECT_EQ(expected_evaluations(plan, 60, 10).scouts.gradients, 4 * 2500 * 2);
    plan.warmup = 50, plan.draws = 100;
    EXPECT_EQ(expected_evaluations(plan, 26, 3).scouts.gradients, 1200);
    EXPECT_EQ(expected_evaluations(plan, 32, 4).scouts.gradients, 0);
    EXPECT_GT(expected_bytes(plan, 26, 3).journal, expected_bytes(plan, 26).journal);
    plan.sampler = Sampler::ensemble;
    EXPECT_EQ(expected_evaluations(plan, 26, 3).scouts.gradients, 0);
}

TEST(SampleEstimate, ChainsAreWhatRanksCanShare) {
    JobSize job;
    job.items = 1000;
    job.tiles = 4;  // chains
    RankPlan rank;
    rank.item_seconds = 1;
    EXPECT_NEAR(tile_seconds({4, rank}, job), 250, 1e-9);
    EXPECT_NEAR(tile_seconds({9, rank}, job), 250, 1e-9);
}

TEST(SampleEstimate, AnEnsembleEvaluatesEachDrawOnce) {
    SamplePlan plan = nuts(200, 300, 10);
    plan.sampler = Sampler::ensemble;
    plan.chains = 32;
    const SampleEvaluations count = expected_evaluations(plan, 5);
    EXPECT_EQ(count.start.values, 32);
    EXPECT_EQ(count.draws.values, 32 * 500);
    EXPECT_EQ(count.draws.gradients, 0);
    EXPECT_GT(count.start.gradients, 0);  // of the climb
}

TEST(SampleEstimate, BytesAreThoseOfTheNumbersThatAreKept) {
    const SamplePlan plan = nuts(300, 1000, 10);
    const SampleBytes bytes = expected_bytes(plan, 3);
    // For each of 4,000 draws: 3 parameters, lp, likelihood, acceptance, step and energy as double,
    // depth and leaps as 32 bits, two flags.
    EXPECT_EQ(bytes.result, 4000 * (8 * 8 + 2 * 4 + 2));
    // Each answer is a value and three slopes.
    EXPECT_NEAR(bytes.journal, 8 * 4 * gradients(plan, 3), 1);
    // Point and gradient on the heap.
    EXPECT_GT(bytes.memory, 4000.0 * 8 * (3 + 3));
    EXPECT_LT(bytes.memory, 4000.0 * 400);
}

}  // namespace
}  // namespace tessera::plan
