#include "likelihood/fit/stream_refitter.hpp"

#include "likelihood/fit/joint_objective.hpp"
#include "likelihood/fit/quasi_newton.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "likelihood/model/random_stream.hpp"
#include "likelihood/simulate/simulate.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::uint64_t sets_key = 0x626f6f7473747261;  // separates their seeds from others

}  // namespace

std::uint64_t seed_of_set(std::uint64_t fit_seed, std::uint64_t set, std::size_t wedge) {
    const std::uint64_t seed = RandomStream{fit_seed, sets_key, set}.bits();
    return wedge == 0 ? seed : RandomStream{seed, sets_key, wedge}.bits();
}

std::vector<Refit> StreamRefitter::refits(std::span<const Point> questions) {
    std::vector<Refit> found;
    for (const Point& question : questions)
        found.push_back(refit(Point(question.begin(), question.end() - 1),
                              static_cast<std::uint64_t>(question.back())));
    return found;
}

std::vector<Star> StreamRefitter::draw(const Point& truth, std::uint64_t set, std::size_t wedge) {
    StreamModel model = problem_.space->model(truth, wedge);
    const Evaluation there = evaluators_[wedge]->evaluate({&model, 1}, {false, false}).at(0);
    for (auto stream = there.empty_streams.rbegin(); stream != there.empty_streams.rend(); ++stream)
        model.streams.erase(model.streams.begin() + (*stream - 1));
    const StarDrawer drawer(model, seed_of_set(problem_.settings.seed, set, wedge),
                            problem_.wedges[wedge].stars);
    std::vector<Star> stars;
    for (const SimulatedStar& one : drawer.draw(0, std::ssize(problem_.wedges[wedge].stars)))
        stars.push_back(one.star);
    return stars;
}

Refit StreamRefitter::refit(const Point& truth, std::uint64_t set) {
    std::vector<std::vector<Star>> stars;
    for (std::size_t w = 0; w < evaluators_.size(); ++w) stars.push_back(draw(truth, set, w));
    const WedgeEvaluators evaluators = make_evaluators(input_, problem_, stars, backend_);
    StreamObjective on_wedges(*problem_.space, evaluators);
    JointObjective objective(on_wedges, *problem_.space, problem_.stars_of_wedges());
    const MaximisePlan& plan = problem_.plan;
    QuasiNewton climb(*problem_.space, truth,
                      {plan.gain / plan.log_likelihood_unit, plan.noise, plan.climb_evaluations});
    Refit result;
    while (!climb.over()) {
        const Slope slope = objective.slopes({&climb.proposal(), 1}).at(0);
        if (climb.evaluations() == 0) result.model_value = slope.value;
        climb.accept(slope);
    }
    result.value = climb.slope().value;
    result.converged = climb.converged();
    result.at = problem_.space->image_near(climb.at(), truth);
    return result;
}

}  // namespace tessera::likelihood
