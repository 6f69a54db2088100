#include "likelihood/fit/maximise.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "likelihood/fit/quasi_newton.hpp"

namespace tessera::likelihood {

namespace {

constexpr double distinct = 0.03;       // of the cube: members nearer than this climb the same hill
constexpr int most_rounds = 4;          // of climb and curvature
constexpr double curvature_step = 0.1;  // of a coordinate's error
constexpr std::int64_t first_halving = 40;  // steps after which the worse half of climbs is left
constexpr std::size_t fewest_climbs = 3;

double largest_difference(const Point& a, const Point& b) {
    double found = 0;
    for (std::size_t i = 0; i < a.size(); ++i) found = std::max(found, std::abs(a[i] - b[i]));
    return found;
}

class Maximiser {
  public:
    Maximiser(Objective& objective, const Space& space, const MaximisePlan& plan,
              const std::function<void(const FitProgress&)>& watch)
        : objective_(objective), space_(space), plan_(plan), watch_(watch) {}

    Maximum run() {
        const auto searches = search();
        climb_all(leaders(searches));
        settle();
        return std::move(result_);
    }

  private:
    using Searches = std::vector<std::unique_ptr<PopulationSearch>>;

    void report(const std::string& stage, std::int64_t step, std::int64_t steps) {
        if (watch_) watch_({stage, step, steps, result_.best.value});
    }

    void note(std::size_t search, const Candidate& best) {
        if (best.value > result_.best.value || result_.best.at.empty()) result_.best = best;
        result_.history.push_back({result_.evaluations + result_.slope_evaluations,
                                   static_cast<std::int32_t>(search), best});
    }

    Searches make_searches() const {
        Searches searches;
        const bool samples_only = plan_.method == Method::quasi_newton;
        for (int start = 0; start < (samples_only ? 1 : plan_.starts); ++start) {
            PopulationOptions options{
                plan_.population, samples_only ? 1 : plan_.generations, plan_.tolerance,
                plan_.seed,       static_cast<std::uint64_t>(start),    plan_.given};
            searches.push_back(plan_.method == Method::particle_swarm
                                   ? make_particle_swarm(space_, options)
                                   : make_differential_evolution(space_, options));
        }
        return searches;
    }

    /// All starts side by side, so that a generation is one batch.
    Searches search() {
        Searches searches = make_searches();
        for (std::int64_t generation = 0;; ++generation) {
            std::vector<Point> points;
            std::vector<std::pair<std::size_t, std::size_t>> shares;  // search, points
            for (std::size_t s = 0; s < searches.size(); ++s) {
                if (searches[s]->over()) continue;
                const auto proposals = searches[s]->proposals();
                points.insert(points.end(), proposals.begin(), proposals.end());
                shares.push_back({s, proposals.size()});
            }
            if (shares.empty()) return searches;
            const auto values = objective_.values(points);
            result_.evaluations += static_cast<std::int64_t>(values.size());
            std::size_t begin = 0;
            for (const auto& [s, count] : shares) {
                searches[s]->accept(std::span(values).subspan(begin, count));
                begin += count;
                const auto& population = searches[s]->population();
                note(s, population[ranking(population).front()]);
            }
            if (generation == 0) result_.start = result_.best;
            report("search", generation + 1, plan_.generations);
        }
    }

    /// The best members of every population that lie apart from each other.
    std::vector<Point> leaders(const Searches& searches) const {
        std::vector<Point> chosen;
        const bool samples_only = plan_.method == Method::quasi_newton;
        const auto wanted = static_cast<std::size_t>(samples_only ? plan_.starts : plan_.climbs);
        for (const auto& search : searches) {
            const std::size_t before = chosen.size();
            for (const std::size_t i : ranking(search->population())) {
                const Candidate& member = search->population()[i];
                if (chosen.size() == before + wanted || !(member.value > rejected)) break;
                const auto is_near = [&](const Point& other) {
                    return largest_difference(space_.image_near(member.at, other), other) <
                           distinct;
                };
                if (std::ranges::none_of(chosen, is_near))
                    chosen.push_back(space_.folded(member.at));
            }
        }
        return chosen;
    }

    QuasiNewtonOptions climb_options() const {
        return {plan_.gain / plan_.log_likelihood_unit, plan_.noise, plan_.climb_evaluations};
    }

    /// Climbs side by side; after 40, 80, 160 ... steps only the better half goes on.
    void climb(std::vector<QuasiNewton>& climbs, std::size_t first_number) {
        std::vector<bool> left_behind(climbs.size(), false);
        std::int64_t halving = first_halving;
        for (std::int64_t step = 1;; ++step) {
            std::vector<Point> points;
            std::vector<std::size_t> asking;
            if (step > halving) {
                leave_worse_half(climbs, left_behind);
                halving *= 2;
            }
            for (std::size_t i = 0; i < climbs.size(); ++i)
                if (!climbs[i].over() && !left_behind[i]) {
                    points.push_back(climbs[i].proposal());
                    asking.push_back(i);
                }
            if (points.empty()) return;
            const auto slopes = objective_.slopes(points);
            result_.slope_evaluations += static_cast<std::int64_t>(slopes.size());
            for (std::size_t k = 0; k < asking.size(); ++k) {
                QuasiNewton& one = climbs[asking[k]];
                one.accept(slopes[k]);
                note(first_number + asking[k], {one.at(), one.slope().value});
            }
            report("climb", step, plan_.climb_evaluations);
        }
    }

    static void leave_worse_half(const std::vector<QuasiNewton>& climbs,
                                 std::vector<bool>& left_behind) {
        std::vector<Candidate> reached;
        for (const QuasiNewton& one : climbs) reached.push_back({{}, one.slope().value});
        std::vector<std::size_t> going;
        for (const std::size_t i : ranking(reached))
            if (!left_behind[i]) going.push_back(i);
        const std::size_t kept = std::max(fewest_climbs, (going.size() + 1) / 2);
        for (std::size_t k = kept; k < going.size(); ++k) left_behind[going[k]] = true;
    }

    void climb_all(const std::vector<Point>& starts) {
        std::vector<QuasiNewton> climbs;
        for (const Point& start : starts) climbs.emplace_back(space_, start, climb_options());
        climb(climbs, static_cast<std::size_t>(plan_.starts));
        climbs_made_ = climbs.size();
        std::vector<Candidate> ends;
        for (const QuasiNewton& one : climbs) ends.push_back({one.at(), one.slope().value});
        for (const std::size_t i : ranking(ends)) result_.climbs.push_back(ends[i]);
        if (climbs.empty()) return;
        take(climbs[ranking(ends).front()]);
        fold();
    }

    void take(const QuasiNewton& one) {
        at_ = one.at(), slope_ = one.slope(), loose_ = one.loose();
        curvature_ = one.curvature();
        converged_ = one.converged();
    }

    /// Brings the best point to its place in the cube; its slope and curvature are others there.
    void fold() {
        const Point home = space_.folded(at_);
        if (home == at_) return;
        std::vector<QuasiNewton> climbs;
        climbs.emplace_back(space_, home, climb_options());
        climb(climbs, static_cast<std::size_t>(plan_.starts) + climbs_made_++);
        take(climbs.front());
    }

    /// Steps of a fraction of each coordinate's error, by the curvature known so far.
    std::vector<double> curvature_steps() const {
        std::vector<double> steps;
        for (const std::size_t i : loose_) {
            const double information = plan_.log_likelihood_unit * curvature_(i, i);
            steps.push_back(
                std::clamp(curvature_step / std::sqrt(std::max(information, 1e-6)), 1e-6, 1e-3));
        }
        return steps;
    }

    /// Curvature at the best point; where the true one promises more, on from there.
    void settle() {
        if (at_.empty()) return;
        for (int round = 1; round <= most_rounds; ++round) {
            Matrix information =
                difference_curvature(objective_, space_, at_, loose_, curvature_steps());
            result_.slope_evaluations += static_cast<std::int64_t>(2 * loose_.size());
            report("errors", round, most_rounds);
            const Matrix minus_hessian = information;
            for (double& value : information.values) value *= plan_.log_likelihood_unit;
            result_.errors = estimate_errors(information, at_, loose_);
            result_.best = {at_, slope_.value};
            result_.converged = converged_ && promised_gain(information) < 10 * plan_.gain &&
                                result_.errors.steepest_saddle > -1;
            if (result_.converged || round == most_rounds || !climb_on(minus_hessian)) return;
        }
    }

    /// Of a Newton step over the well-curved combinations, in log likelihood.
    double promised_gain(const Matrix& information) const {
        const auto system = eigensystem(information);
        double gain = 0;
        for (std::size_t e = 0; e < loose_.size(); ++e) {
            if (system.values[e] < 1) continue;
            double along = 0;
            for (std::size_t i = 0; i < loose_.size(); ++i)
                along += system.vectors(i, e) * slope_.gradient[loose_[i]];
            along *= plan_.log_likelihood_unit;
            gain += along * along / (2 * system.values[e]);
        }
        return gain;
    }

    /// Minus the Hessian with its eigenvalues made positive, over all coordinates.
    Matrix positive(const Matrix& minus_hessian, Point& off_saddle) const {
        const auto system = eigensystem(minus_hessian);
        const double least = std::max(1 / plan_.log_likelihood_unit, 1e-12);
        Matrix whole(at_.size());
        for (std::size_t e = 0; e < loose_.size(); ++e)
            for (std::size_t i = 0; i < loose_.size(); ++i)
                for (std::size_t j = 0; j < loose_.size(); ++j)
                    whole(loose_[i], loose_[j]) += std::max(std::abs(system.values[e]), least) *
                                                   system.vectors(i, e) * system.vectors(j, e);
        for (std::size_t i = 0; i < at_.size(); ++i)
            if (whole(i, i) == 0) whole(i, i) = curvature_(i, i);
        off_saddle = at_;
        if (system.values.front() * plan_.log_likelihood_unit < -1)
            for (std::size_t i = 0; i < loose_.size(); ++i) {
                double& x = off_saddle[loose_[i]];
                x += 0.02 * system.vectors(i, 0);
                if (!space_.goes_round(loose_[i])) x = std::clamp(x, 0.0, 1.0);
            }
        return whole;
    }

    /// Whether a climb from here with the true curvature, off a saddle, found something better.
    bool climb_on(const Matrix& minus_hessian) {
        Point start;
        const Matrix whole = positive(minus_hessian, start);
        std::vector<QuasiNewton> climbs;
        climbs.emplace_back(space_, start, climb_options(), &whole);
        climb(climbs, static_cast<std::size_t>(plan_.starts) + climbs_made_++);
        const QuasiNewton& one = climbs.front();
        const double noise = plan_.noise * std::abs(slope_.value);
        if (!(one.slope().value > slope_.value - noise)) return false;
        take(one);
        return true;
    }

    Objective& objective_;
    const Space& space_;
    const MaximisePlan& plan_;
    const std::function<void(const FitProgress&)>& watch_;
    Maximum result_;
    // The best climb's end.
    Point at_;
    Slope slope_;
    std::vector<std::size_t> loose_;
    Matrix curvature_;
    bool converged_ = false;
    std::size_t climbs_made_ = 0;
};

}  // namespace

Maximum maximise(Objective& objective, const Space& space, const MaximisePlan& plan,
                 const std::function<void(const FitProgress&)>& watch) {
    return Maximiser(objective, space, plan, watch).run();
}

}  // namespace tessera::likelihood
