#include "likelihood/fit/number_fit.hpp"

#include <limits>
#include <utility>

#include "likelihood/fit/joint_objective.hpp"

namespace tessera::likelihood {

namespace {

using Watch = std::function<void(const FitProgress&)>;

constexpr int climbs_downwards = 2;
constexpr double least_descent = 0.1;  // of a climb downwards, in log likelihood

class NumberSearch {
  public:
    NumberSearch(Objective& questions, const StreamNumbers& numbers, const Watch& watch)
        : questions_(questions), numbers_(numbers), watch_(watch) {}

    NumberFit run(Refitter& refitter) {
        std::vector<StreamModel> models;
        for (std::size_t w = 0; w < numbers_.wedges(); ++w) models.push_back(best_of_wedge(w));
        if (!found_all_) return std::move(fit_);
        const FitProblem problem = numbers_.problem(fit_.numbers);
        StageQuestions asked(questions_, fit_.numbers);
        JointObjective objective(asked, *problem.space, problem.stars_of_wedges());
        MaximisePlan plan = problem.plan;
        plan.method = Method::quasi_newton;
        plan.population = plan.generations = plan.starts = 1;
        if (models.size() == 1) plan.patience = 0;  // its variations are done
        plan.given = {problem.space->point(models)};
        fit_.course =
            run_course({objective, refitter}, *problem.space, plan, problem.errors, watch_);
        fit_.course.maximum.evaluations += evaluations_;
        fit_.course.maximum.slope_evaluations += slope_evaluations_;
        return std::move(fit_);
    }

  private:
    /// The best model with a number of streams.
    struct Found {
        StreamModel model;
        double value = rejected;

        bool exists() const { return value > rejected; }
    };

    /// Adds a row for each number of streams, and the chosen one to the numbers.
    StreamModel best_of_wedge(std::size_t wedge) {
        const std::vector<Found> found = best_models(wedge, all_stars);
        const std::vector<double> held_out = held_out_of(wedge);
        std::size_t chosen = 0;
        StreamModel best;
        double lowest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!found[i].exists()) continue;
            const int streams = numbers_.fewest() + static_cast<int>(i);
            const FitProblem problem = numbers_.problem(numbers_.alone(wedge, streams));
            const std::size_t stars = problem.number_of_stars(),
                              parameters = problem.space->dimension();
            NumberRow row{static_cast<std::int64_t>(wedge) + 1, streams,
                          static_cast<std::int64_t>(parameters), found[i].value,
                          information_criterion(found[i].value, stars, parameters)};
            if (!held_out.empty()) row.held_out = held_out[i];
            const double criterion = held_out.empty() ? row.bic : -row.held_out;
            if (criterion < lowest)
                lowest = criterion, best = found[i].model, chosen = fit_.rows.size();
            fit_.rows.push_back(row);
        }
        if (best.areas.empty()) {
            found_all_ = false;
            return best;
        }
        fit_.rows[chosen].chosen = true;
        fit_.numbers.push_back(static_cast<int>(fit_.rows[chosen].streams));
        return best;
    }

    /// The best models with every number, from the fewest on. Searches go upwards: each knows the
    /// best model with one stream less, and the next stream of the file. Then climbs go downwards:
    /// a number whose search was stuck profits from what the greater number has found.
    std::vector<Found> best_models(std::size_t wedge, StarPart part) {
        std::vector<Found> all;
        for (int streams = numbers_.fewest(); streams <= numbers_.most(); ++streams) {
            const Numbers numbers = numbers_.alone(wedge, streams);
            FitProblem problem = numbers_.problem(numbers, part);
            if (!all.empty() && all.back().exists()) {
                StreamModel before = all.back().model;
                before.streams.push_back(
                    numbers_.file_model(wedge).streams[static_cast<std::size_t>(streams - 1)]);
                problem.plan.given.push_back(problem.space->point({&before, 1}));
            }
            all.push_back(found_by(problem, numbers, part));
        }
        for (std::size_t i = all.size() - 1; i-- > 0;)
            if (all[i + 1].exists()) leave_one_out(wedge, part, all[i + 1].model, all[i]);
        return all;
    }

    /// Leaves each stream of `more` out in turn, and climbs from the best of these models.
    void leave_one_out(std::size_t wedge, StarPart part, const StreamModel& more, Found& found) {
        const Numbers numbers = numbers_.alone(wedge, static_cast<int>(more.streams.size()) - 1);
        FitProblem problem = numbers_.problem(numbers, part);
        MaximisePlan& plan = problem.plan;
        plan.method = Method::quasi_newton;
        plan.generations = 1;
        plan.starts = climbs_downwards;
        plan.patience = 0;
        plan.given.clear();
        for (std::size_t s = 0; s < more.streams.size(); ++s) {
            StreamModel less = more;
            less.streams.erase(less.streams.begin() + static_cast<std::ptrdiff_t>(s));
            plan.given.push_back(problem.space->point({&less, 1}));
        }
        plan.population = static_cast<int>(plan.given.size());
        Found other = found_by(problem, numbers, part);
        if (other.value > found.value + least_descent / plan.log_likelihood_unit)
            found = std::move(other);
    }

    /// For each number: the mean of log10 over the stars of all folds, each of them in the best
    /// model of the others. -infinity if a fold has no model. Empty if nothing is held out.
    std::vector<double> held_out_of(std::size_t wedge) {
        if (numbers_.folds() == 0) return {};
        std::vector<double> means(
            static_cast<std::size_t>(numbers_.most() - numbers_.fewest() + 1));
        double all = 0;
        for (StarPart fold = 1; fold <= numbers_.folds(); ++fold) {
            const std::vector<Found> found = best_models(wedge, fold);
            for (std::size_t i = 0; i < found.size(); ++i) {
                const Numbers numbers =
                    numbers_.alone(wedge, numbers_.fewest() + static_cast<int>(i));
                const FitProblem held = numbers_.problem(numbers, -fold);
                const auto stars = static_cast<double>(held.number_of_stars());
                if (i == 0) all += stars;
                means[i] += stars * value_of(found[i], held, numbers, -fold);
            }
        }
        for (double& mean : means) mean /= all;
        return means;
    }

    double value_of(const Found& found, const FitProblem& problem, const Numbers& numbers,
                    StarPart part) {
        if (!found.exists()) return -std::numeric_limits<double>::infinity();
        StageQuestions asked(questions_, numbers, part);
        JointObjective objective(asked, *problem.space, problem.stars_of_wedges());
        ++evaluations_;
        const Point at = problem.space->point({&found.model, 1});
        return objective.values({&at, 1}).front();
    }

    Found found_by(const FitProblem& problem, const Numbers& numbers, StarPart part) {
        StageQuestions asked(questions_, numbers, part);
        JointObjective objective(asked, *problem.space, problem.stars_of_wedges());
        const Maximum maximum = maximise(objective, *problem.space, problem.plan, watch_);
        evaluations_ += maximum.evaluations;
        slope_evaluations_ += maximum.slope_evaluations;
        if (maximum.climbs.empty()) return {};
        return {problem.space->model(maximum.best.at), maximum.best.value};
    }

    Objective& questions_;
    const StreamNumbers& numbers_;
    const Watch& watch_;
    NumberFit fit_;
    bool found_all_ = true;
    std::int64_t evaluations_ = 0, slope_evaluations_ = 0;
};

}  // namespace

NumberFit fit_numbers(Objective& questions, Refitter& refitter, const StreamNumbers& numbers,
                      const std::function<void(const FitProgress&)>& watch) {
    return NumberSearch(questions, numbers, watch).run(refitter);
}

}  // namespace tessera::likelihood
