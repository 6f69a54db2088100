#include "likelihood/sample/sample_result.hpp"

#include <algorithm>

namespace tessera::likelihood {

SampleDraws make_draws(const Samples& samples, const SampleProblem& problem) {
    const Posterior posterior = problem.posterior();
    SampleDraws found;
    found.parameters.assign(posterior.dimension(), Chains(samples.draws.size()));
    for (std::size_t c = 0; c < samples.draws.size(); ++c) {
        found.log_posterior.emplace_back();
        found.likelihood.emplace_back();
        for (const Draw& draw : samples.draws[c]) {
            const Point cube = posterior.image_near(posterior.cube(draw.state.at), samples.top);
            const auto values = posterior.values(cube);
            for (std::size_t i = 0; i < values.size(); ++i)
                found.parameters[i][c].push_back(values[i]);
            const double likelihood = draw.state.density.objective;
            found.log_posterior[c].push_back(posterior.log_posterior(cube, likelihood));
            found.likelihood[c].push_back(likelihood);
        }
    }
    return found;
}

SampleResult make_sample_result(const Samples& samples, const SampleDraws& draws,
                                const SampleProblem& problem) {
    SampleResult result;
    result.method = name_of(problem.plan.sampler);
    result.chains = problem.plan.chains;
    result.warmup = problem.plan.warmup;
    result.draws = problem.plan.draws;
    result.free = problem.fit.space->free();
    result.wedges = std::ssize(problem.fit.wedges);
    result.number_of_stars = static_cast<std::int64_t>(problem.fit.number_of_stars());
    for (const io::PriorSetting& prior : problem.priors) result.priors.push_back(describe(prior));
    result.fixed = problem.fit.space->fixed();
    result.top = problem.fit.space->values(samples.top);
    for (const Chains& chains : draws.parameters) result.summaries.push_back(summarise(chains));
    result.evaluations = samples.evaluations;
    result.gradient_evaluations = samples.slope_evaluations;
    for (const auto& chain : samples.draws)
        for (const Draw& draw : chain) {
            result.diverging += draw.diverging;
            result.tried_jumps += draw.jump != JumpOutcome::none;
            result.jumps += draw.jump == JumpOutcome::accepted;
            result.acceptance +=
                draw.acceptance / static_cast<double>(result.chains * result.draws);
        }
    result.hills = summarise_hills(samples, problem.posterior());
    result.converged = std::ranges::all_of(result.summaries, is_good) && result.hills.agreed();
    return result;
}

}  // namespace tessera::likelihood
