#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "likelihood/fit/fit_plan.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "plain_evaluator.hpp"
#include "simulated_stars.hpp"
#include "small_wedge.hpp"

namespace tessera::likelihood {

TEST(Recovery, RandomStartsFindTheModelThatTheStarsWereDrawnFrom) {
    const StreamModel truth = test::small_wedge();
    std::vector<Star> stars;
    for (const auto& one : simulate_stars(truth, 3000, 8)) stars.push_back(one.star);
    io::FitSettings settings;
    settings.method = "quasi-newton";
    settings.starts = 4;
    settings.variations = 0;
    settings.population = 60;
    settings.bounds = {{"stream1.epsilon", -6, 3}, {"stream1.sigma", 0.8, 10}};
    const StreamSpace space(truth, free_parameters(truth, settings));
    test::PlainEvaluator evaluator(truth, stars);
    StreamObjective objective(space, evaluator);
    const auto plan = resolved_plan(settings, space, stars.size(), 1e-12);
    const auto found = maximise(objective, space, plan);
    EXPECT_TRUE(found.converged);
    const std::vector<Point> own{space.point(truth)};
    EXPECT_GT(found.best.value, objective.values(own).front());
    int determined = 0;
    for (std::size_t i = 0; i < space.dimension(); ++i) {
        if (found.errors.verdicts[i] != Verdict::determined) continue;
        ++determined;
        const double error = std::sqrt(found.errors.covariance(i, i));
        EXPECT_NEAR(found.best.at[i], own.front()[i], 3.5 * error) << space.free()[i].name;
        EXPECT_LT(error, 0.2) << space.free()[i].name;
    }
    EXPECT_GE(determined, 7);
}

}  // namespace tessera::likelihood
