// Options of tessera fit and tessera sample that change nothing.
#include <gtest/gtest.h>

#include "likelihood/fit/fit_choices.hpp"
#include "likelihood/sample/sample_problem.hpp"

namespace tessera::likelihood {
namespace {

using Lines = std::vector<std::string>;

TEST(UnusedOptions, TheCriterionWithoutSeveralNumbersOfStreams) {
    FitChoices choices;
    EXPECT_EQ(choices.unused({}), Lines{});
    choices.criterion = "bic";
    EXPECT_EQ(choices.unused({}), Lines{"--criterion without --streams: one number of streams is "
                                        "fitted, so that nothing changes"});
    choices.streams = "1:2";
    EXPECT_EQ(choices.unused({}), Lines{});
}

TEST(UnusedOptions, GenerationsOfClimbsWithoutThem) {
    FitChoices choices;
    choices.generations = 30;
    io::FitSettings settings;
    EXPECT_EQ(choices.unused(settings), Lines{});
    settings.method = "quasi-newton";
    EXPECT_EQ(choices.unused(settings), Lines{"--generations with --method quasi-newton: it has no "
                                              "generations, so that nothing changes"});
}

TEST(UnusedOptions, TrajectoriesOfAnEnsemble) {
    SamplePlan plan;
    plan.most_doublings = 8;
    plan.target_acceptance = 0.9;
    EXPECT_EQ(unused_options(plan), "");
    plan.sampler = Sampler::ensemble;
    EXPECT_EQ(unused_options(plan),
              "--target-acceptance, --max-depth with --method ensemble: only nuts follows "
              "trajectories, so that nothing changes");
    EXPECT_EQ(unused_options(SamplePlan{.sampler = Sampler::ensemble}), "");
}

}  // namespace
}  // namespace tessera::likelihood
