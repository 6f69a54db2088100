#include "likelihood/fit/maximise.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "likelihood/fit/climb_race.hpp"
#include "likelihood/fit/steady_search.hpp"

namespace tessera::likelihood {

namespace {

constexpr int most_rounds = 6;             // rounds of climb and curvature
constexpr double curvature_step = 0.1;     // step of differences, in errors of a coordinate
constexpr double off_saddle = 0.02;        // distance to leave a saddle, in the cube
constexpr double least_improvement = 0.1;  // least gain of a successful variation, log likelihood
constexpr std::uint64_t variations = std::uint64_t{1} << 32;  // key of their random numbers

class Maximiser {
  public:
    Maximiser(Objective& objective, const Space& space, const MaximisePlan& plan,
              const std::function<void(const FitProgress&)>& watch, SteadyEvaluator* steady)
        : objective_(objective), space_(space), plan_(plan), watch_(watch), steady_(steady) {}

    Maximum run() {
        climb_from(plan_.asynchronous ? search_steadily() : search());
        if (top_) vary();
        if (top_) settle();
        std::ranges::stable_sort(result_.climbs, std::ranges::greater{}, &Candidate::value);
        return std::move(result_);
    }

  private:
    using Searches = std::vector<std::unique_ptr<PopulationSearch>>;

    bool samples_only() const { return plan_.method == Method::quasi_newton; }

    void report(const std::string& stage, std::int64_t step, std::int64_t steps) {
        if (watch_)
            watch_({stage, step, steps, result_.best.value,
                    result_.evaluations + result_.slope_evaluations});
    }

    void note(std::size_t search, const Candidate& best) {
        if (best.value > result_.best.value || result_.best.at.empty()) result_.best = best;
        result_.history.push_back({result_.evaluations + result_.slope_evaluations,
                                   static_cast<std::int32_t>(search), best});
    }

    Searches make_searches() const {
        Searches searches;
        for (int start = 0; start < (samples_only() ? 1 : plan_.starts); ++start) {
            const PopulationOptions options{
                plan_.population, samples_only() ? 1 : plan_.generations, plan_.tolerance,
                plan_.seed,       static_cast<std::uint64_t>(start),      plan_.given};
            searches.push_back(plan_.method == Method::particle_swarm
                                   ? make_particle_swarm(space_, options)
                                   : make_differential_evolution(space_, options));
        }
        return searches;
    }

    /// Moves all populations side by side, so that a generation is one batch. Returns the points at
    /// which climbs begin.
    std::vector<Point> search() {
        Searches searches = make_searches();
        next_number_ = searches.size();
        for (std::int64_t generation = 1; one_generation(searches); ++generation) {
            if (generation == 1) result_.start = result_.best;
            report("search", generation, samples_only() ? 1 : plan_.generations);
        }
        std::vector<Point> chosen;
        for (const auto& search : searches) {
            const int most = samples_only() ? plan_.starts : plan_.climbs;
            for (Point& point :
                 distinct_leaders(space_, search->population(), static_cast<std::size_t>(most)))
                chosen.push_back(std::move(point));
        }
        return chosen;
    }

    /// The same without generations.
    std::vector<Point> search_steadily() {
        SteadySearch search(space_, plan_);
        next_number_ = search.populations().size();
        const auto watch = [&] {
            result_.best = search.best();
            result_.evaluations = search.taken();
            report("search", search.taken() / search.size(), plan_.generations);
        };
        if (steady_) steady_->carry_out(search, watch);
        while (const auto proposal = search.propose()) {
            search.accept(*proposal, objective_.values({&proposal->at, 1}).front());
            watch();
        }
        watch();
        result_.start = search.start();
        result_.history = search.history();
        std::vector<Point> chosen;
        for (const auto& one : search.populations())
            for (Point& point :
                 distinct_leaders(space_, one->members(), static_cast<std::size_t>(plan_.climbs)))
                chosen.push_back(std::move(point));
        return chosen;
    }

    bool one_generation(Searches& searches) {
        std::vector<Point> points;
        std::vector<std::pair<std::size_t, std::size_t>> shares;  // search, points
        for (std::size_t s = 0; s < searches.size(); ++s) {
            if (searches[s]->over()) continue;
            const auto proposals = searches[s]->proposals();
            points.insert(points.end(), proposals.begin(), proposals.end());
            shares.push_back({s, proposals.size()});
        }
        if (shares.empty()) return false;
        const auto values = objective_.values(points);
        result_.evaluations += static_cast<std::int64_t>(values.size());
        std::size_t begin = 0;
        for (const auto& [s, count] : shares) {
            searches[s]->accept(std::span(values).subspan(begin, count));
            begin += count;
            const auto& population = searches[s]->population();
            note(s, population[by_likelihood(population).front()]);
        }
        return true;
    }

    QuasiNewtonOptions climb_options() const {
        return {plan_.gain / plan_.log_likelihood_unit, plan_.noise, plan_.climb_evaluations};
    }

    void run_climbs(std::vector<QuasiNewton>& climbs) {
        const std::size_t first = next_number_;
        next_number_ += climbs.size();
        race(objective_, climbs, [&](std::int64_t step, const std::vector<std::size_t>& asked) {
            result_.slope_evaluations += static_cast<std::int64_t>(asked.size());
            for (const std::size_t i : asked)
                note(first + i, {climbs[i].at(), climbs[i].slope().value});
            report("climb", step, plan_.climb_evaluations);
        });
        for (const QuasiNewton& one : climbs)
            result_.climbs.push_back({one.at(), one.slope().value});
    }

    /// Climbs from `starts` and keeps the best end if it is higher than the best so far. Returns
    /// whether this is an improvement.
    bool climb_from(const std::vector<Point>& starts) {
        std::vector<QuasiNewton> climbs;
        for (const Point& start : starts) climbs.emplace_back(space_, start, climb_options());
        run_climbs(climbs);
        const double before = top_ ? top_->slope().value : rejected;
        const double least = top_ ? least_improvement / plan_.log_likelihood_unit : 0;
        for (QuasiNewton& one : climbs)
            if (one.slope().value > (top_ ? top_->slope().value : rejected))
                top_ = std::make_unique<QuasiNewton>(std::move(one));
        return top_ && top_->slope().value > before + least;
    }

    /// Redraws parts of the best point and climbs from the best results. Stops after `patience`
    /// successive rounds without improvement.
    void vary() {
        int without_gain = 0;
        for (std::uint64_t turn = 0; without_gain < plan_.patience; ++turn) {
            std::vector<Candidate> tried;
            std::vector<Point> points;
            for (int i = 0; i < plan_.variations; ++i) {
                RandomStream random{plan_.seed, variations + turn, static_cast<std::uint64_t>(i)};
                points.push_back(space_.varied(top_->at(), random));
            }
            const auto values = objective_.values(points);
            result_.evaluations += static_cast<std::int64_t>(values.size());
            for (std::size_t i = 0; i < points.size(); ++i) tried.push_back({points[i], values[i]});
            report("variation", static_cast<std::int64_t>(turn) + 1,
                   static_cast<std::int64_t>(turn) + plan_.patience - without_gain);
            const bool better =
                climb_from(distinct_leaders(space_, tried, static_cast<std::size_t>(plan_.climbs)));
            without_gain = better ? 0 : without_gain + 1;
        }
    }

    /// Climbs from `start` and keeps the end if it is not worse than the best. Returns whether it
    /// is kept.
    bool climb_on(const Point& start, const Matrix* curvature) {
        std::vector<QuasiNewton> climbs;
        climbs.emplace_back(space_, start, climb_options(), curvature);
        run_climbs(climbs);
        const double noise = plan_.noise * std::abs(top_->slope().value);
        if (!(climbs.front().slope().value > top_->slope().value - noise)) return false;
        top_ = std::make_unique<QuasiNewton>(std::move(climbs.front()));
        return true;
    }

    /// Steps for differences: a fraction of the error of each coordinate, by the curvature known so
    /// far.
    std::vector<double> curvature_steps(const std::vector<std::size_t>& loose) const {
        std::vector<double> steps;
        for (const std::size_t i : loose) {
            const double information = plan_.log_likelihood_unit * top_->curvature()(i, i);
            steps.push_back(
                std::clamp(curvature_step / std::sqrt(std::max(information, 1e-6)), 1e-6, 1e-3));
        }
        return steps;
    }

    /// Computes the curvature at the best point. Climbs again if this curvature promises a gain.
    void settle() {
        // Go to the equivalent point in the cube, where slope and curvature are different.
        if (const Point home = space_.folded(top_->at()); home != top_->at())
            climb_on(home, nullptr);
        for (int round = 1; round <= most_rounds; ++round) {
            const auto loose = top_->loose();
            const Matrix curvature =
                difference_curvature(objective_, space_, top_->at(), loose, curvature_steps(loose));
            result_.slope_evaluations += static_cast<std::int64_t>(2 * loose.size());
            report("errors", round, most_rounds);
            result_.best = {top_->at(), top_->slope().value};
            result_.curvature = over_all(curvature, loose);
            result_.converged = judge(curvature, loose);
            if (result_.converged || round == most_rounds || !climb_on(curvature, loose)) return;
        }
    }

    bool judge(Matrix information, const std::vector<std::size_t>& loose) {
        for (double& value : information.values) value *= plan_.log_likelihood_unit;
        result_.errors = estimate_errors(information, top_->at(), loose);
        Point gradient;
        for (const std::size_t i : loose)
            gradient.push_back(plan_.log_likelihood_unit * top_->slope().gradient[i]);
        return promised_gain(information, gradient, 1) < 10 * plan_.gain &&
               result_.errors.steepest_saddle > -1;
    }

    /// The curvature over all coordinates, positive definite. Held coordinates do not mix with the
    /// others.
    Matrix over_all(const Matrix& curvature, const std::vector<std::size_t>& loose) const {
        const Matrix positive =
            made_positive(curvature, std::max(1 / plan_.log_likelihood_unit, 1e-12));
        Matrix whole(space_.dimension());
        for (std::size_t i = 0; i < whole.n; ++i) whole(i, i) = top_->curvature()(i, i);
        for (std::size_t i = 0; i < loose.size(); ++i)
            for (std::size_t j = 0; j < loose.size(); ++j)
                whole(loose[i], loose[j]) = positive(i, j);
        for (std::size_t i = 0; i < whole.n; ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (std::ranges::find(loose, i) == loose.end() ||
                    std::ranges::find(loose, j) == loose.end())
                    whole(i, j) = whole(j, i) = 0;
        return whole;
    }

    /// Climbs again with the computed curvature. Leaves the point first if it is a saddle.
    bool climb_on(const Matrix& curvature, const std::vector<std::size_t>& loose) {
        const Matrix whole = over_all(curvature, loose);
        Point start = top_->at();
        const auto system = eigensystem(curvature);
        if (system.values.front() * plan_.log_likelihood_unit < -1)
            for (std::size_t i = 0; i < loose.size(); ++i) {
                double& x = start[loose[i]];
                x += off_saddle * system.vectors(i, 0);
                if (!space_.goes_round(loose[i])) x = std::clamp(x, 0.0, 1.0);
            }
        return climb_on(start, &whole);
    }

    Objective& objective_;
    const Space& space_;
    const MaximisePlan& plan_;
    const std::function<void(const FitProgress&)>& watch_;
    SteadyEvaluator* steady_;
    Maximum result_;
    std::unique_ptr<QuasiNewton> top_;  ///< the best climb so far
    std::size_t next_number_ = 0;       ///< number of the next climb in the history
};

}  // namespace

Maximum maximise(Objective& objective, const Space& space, const MaximisePlan& plan,
                 const std::function<void(const FitProgress&)>& watch, SteadyEvaluator* steady) {
    return Maximiser(objective, space, plan, watch, steady).run();
}

}  // namespace tessera::likelihood
