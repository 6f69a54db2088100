#include "likelihood/sample/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "likelihood/fit/quasi_newton.hpp"
#include "likelihood/sample/ensemble.hpp"
#include "likelihood/sample/hill_chains.hpp"
#include "likelihood/sample/nuts_chains.hpp"
#include "likelihood/sample/summit.hpp"

namespace tessera::likelihood {

namespace {

constexpr double promised = 1e-3;  // in log density; the climb ends below it
constexpr int climb_evaluations = 400;
constexpr int start_attempts = 20;
constexpr std::int64_t scouting_per_draw = 2;  // gradients; trajectories take dozens

class Sampling {
  public:
    Sampling(Objective& objective, const Posterior& posterior, const SamplePlan& plan,
             const std::function<void(const SampleProgress&)>& watch)
        : objective_(objective), posterior_(posterior), plan_(plan), watch_(watch) {}

    Samples run(const Point& start) {
        climb(start);
        summit_ = find_summit(posterior_.line(found_.top),
                              [&](const auto& lines) { return densities(lines, true); });
        look_for_hills();
        found_.covariance = summit_.covariance;
        auto states = starts();
        if (!uses_gradients())
            run_ensemble(std::move(states));
        else if (found_.hills.empty())
            run_chains(std::move(states));
        else
            run_hill_chains(std::move(states));
        return std::move(found_);
    }

  private:
    /// The densities of points over the unbounded coordinates.
    std::vector<Density> densities(const std::vector<Point>& lines, bool with_gradients) {
        std::vector<Point> cubes;
        cubes.reserve(lines.size());
        for (const Point& line : lines) cubes.push_back(posterior_.cube(line));
        const auto asked = static_cast<std::int64_t>(lines.size());
        std::vector<Density> densities;
        if (with_gradients) {
            found_.slope_evaluations += asked;
            const auto slopes = objective_.slopes(cubes);
            for (std::size_t i = 0; i < lines.size(); ++i)
                densities.push_back(posterior_.density(lines[i], slopes[i]));
        } else {
            found_.evaluations += asked;
            const auto values = objective_.values(cubes);
            for (std::size_t i = 0; i < lines.size(); ++i)
                densities.push_back({posterior_.log_density(lines[i], values[i]), {}, values[i]});
        }
        return densities;
    }

    void tell(const char* stage, std::int64_t done, std::int64_t total) const {
        if (watch_) watch_({stage, done, total, found_.evaluations + found_.slope_evaluations});
    }

    void climb(const Point& start) {
        PriorObjective hill(objective_, posterior_);
        QuasiNewton climb(posterior_.space(), start,
                          {promised / posterior_.unit(), plan_.noise, climb_evaluations});
        while (!climb.over()) {
            const std::vector<Point> one{climb.proposal()};
            climb.accept(hill.slopes(one).front());
            ++found_.slope_evaluations;
            tell("climb", climb.evaluations(), climb_evaluations);
        }
        if (!(climb.slope().value > rejected))
            throw CannotStart("cannot sample the posterior",
                              "the model to start from has no finite likelihood",
                              "start from the result of a fit: --fit FIT.h5", ExitCode::numerics);
        found_.top = posterior_.image_near(climb.at(), start);
    }

    void look_for_hills() {
        if (plan_.hills() < 2) return;
        PriorObjective inner(objective_, posterior_);
        const ScoutPlan plan{static_cast<std::size_t>(plan_.hills()), plan_.scouting(), plan_.noise,
                             plan_.seed};
        const auto slopes = [&](const std::vector<Point>& points) {
            found_.slope_evaluations += std::ssize(points);
            tell("hills", 0, 0);
            return inner.slopes(points);
        };
        found_.hills = scout_hills({posterior_, slopes,
                                    [&](const auto& lines) { return densities(lines, true); },
                                    [&](const auto& lines) { return densities(lines, false); }},
                                   found_.top, summit_, plan);
        if (found_.hills.size() > 1) return;
        const FoundHill& only = found_.hills.front();
        if (only.at != summit_.at) {
            summit_ = {only.at, only.covariance};
            found_.top = posterior_.cube(only.at);
        }
        found_.hills.clear();
    }

    /// Where chain k begins.
    Summit summit_of(std::size_t k) const {
        if (found_.hills.empty()) return summit_;
        const FoundHill& hill = found_.hills[k % found_.hills.size()];
        return {hill.at, hill.covariance};
    }

    /// Points around the summits, drawn with their covariances. One that is rejected moves half-way
    /// to its summit.
    std::vector<State> starts() {
        std::vector<State> states(static_cast<std::size_t>(plan_.chains));
        std::vector<std::size_t> missing;
        std::vector<Point> displacements;
        for (std::size_t k = 0; k < states.size(); ++k) {
            RandomStream random{plan_.seed, static_cast<std::uint64_t>(Purpose::start), k};
            displacements.push_back(Metric(summit_of(k).covariance).displacement(random));
            missing.push_back(k);
        }
        double scale = 1;
        for (int attempt = 0; !missing.empty(); ++attempt, scale /= 2) {
            if (attempt == start_attempts)
                throw CannotStart("cannot sample the posterior",
                                  "there is no finite likelihood around the best model",
                                  "change the bounds or priors of the parameters",
                                  ExitCode::numerics);
            std::vector<Point> points;
            for (const std::size_t k : missing) {
                Point& point = points.emplace_back(summit_of(k).at);
                for (std::size_t i = 0; i < point.size(); ++i)
                    point[i] += scale * displacements[k][i];
            }
            const auto found = restricted(points, densities(points, uses_gradients()));
            std::vector<std::size_t> still;
            for (std::size_t m = 0; m < missing.size(); ++m) {
                if (found[m].log > rejected)
                    states[missing[m]] = {points[m], found[m]};
                else
                    still.push_back(missing[m]);
            }
            missing = still;
        }
        return states;
    }

    bool uses_gradients() const { return plan_.sampler == Sampler::nuts; }

    /// Walkers of an ensemble stretch along straight lines, so they stay among those of equivalent
    /// points that are nearest to the top. A trajectory may go round.
    std::vector<Density> restricted(const std::vector<Point>& points,
                                    std::vector<Density> densities) const {
        if (uses_gradients()) return densities;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Point cube = posterior_.cube(points[i]);
            if (posterior_.image_near(cube, found_.top) != cube) densities[i].log = rejected;
        }
        return densities;
    }

    void tell_draws(std::int64_t done) const {
        const std::int64_t warmup = std::int64_t{plan_.chains} * plan_.warmup;
        const std::int64_t draws = std::int64_t{plan_.chains} * plan_.draws;
        tell(done < warmup ? "warm-up" : "draws", done, warmup + draws);
    }

    NutsOptions nuts_options() const {
        return {plan_.warmup, plan_.draws, plan_.target_acceptance, plan_.most_doublings,
                plan_.seed};
    }

    ImageOf image_of() const {
        return [&](const State& state) {
            return posterior_.line_near(state.at, state.density.gradient, found_.top);
        };
    }

    void run_chains(std::vector<State> states) {
        NutsChains chains(nuts_options(), std::move(states), found_.covariance, image_of());
        run_to_end(chains);
    }

    void run_hill_chains(std::vector<State> states) {
        std::vector<HillShape> shapes;
        shapes.reserve(found_.hills.size());
        for (const FoundHill& hill : found_.hills) shapes.push_back({hill.at, hill.covariance});
        HillChains chains(nuts_options(), std::move(states), std::move(shapes), image_of());
        run_to_end(chains);
    }

    template <class AllChains>
    void run_to_end(AllChains& chains) {
        while (!chains.over()) {
            tell_draws(chains.done());
            chains.accept(densities(chains.proposals(), true));
        }
        tell_draws(chains.done());
        found_.draws = chains.draws();
    }

    void run_ensemble(std::vector<State> states) {
        Ensemble ensemble({plan_.warmup, plan_.draws, plan_.seed}, std::move(states));
        while (!ensemble.over()) {
            const auto& points = ensemble.proposals();
            ensemble.accept(restricted(points, densities(points, false)));
            tell_draws(std::int64_t{plan_.chains} * ensemble.done());
        }
        found_.draws = ensemble.draws();
    }

    Objective& objective_;
    const Posterior& posterior_;
    const SamplePlan& plan_;
    const std::function<void(const SampleProgress&)>& watch_;
    Samples found_;
    Summit summit_;
};

}  // namespace

int SamplePlan::hills() const {
    if (sampler != Sampler::nuts) return 1;
    return most_hills == any_hills ? chains : std::min(most_hills, chains);
}

std::int64_t SamplePlan::scouting() const {
    return hills() < 2 ? 0 : scouting_per_draw * chains * (std::int64_t{warmup} + draws);
}

Samples draw_samples(Objective& objective, const Posterior& posterior, const Point& start,
                     const SamplePlan& plan,
                     const std::function<void(const SampleProgress&)>& watch) {
    return Sampling(objective, posterior, plan, watch).run(start);
}

}  // namespace tessera::likelihood
