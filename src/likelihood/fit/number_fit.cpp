#include "likelihood/fit/number_fit.hpp"

#include <limits>
#include <utility>

#include "likelihood/fit/joint_objective.hpp"

namespace tessera::likelihood {

namespace {

using Watch = std::function<void(const FitProgress&)>;

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
    /// Adds a row for each number of streams, and the chosen one to the numbers.
    StreamModel best_of_wedge(std::size_t wedge) {
        StreamModel best, before;
        std::vector<StreamModel> folds(static_cast<std::size_t>(numbers_.folds()));
        std::size_t chosen = 0;
        double lowest = std::numeric_limits<double>::infinity();
        for (int streams = numbers_.fewest(); streams <= numbers_.most(); ++streams) {
            const Numbers numbers = numbers_.alone(wedge, streams);
            FitProblem problem = numbers_.problem(numbers);
            add_given(wedge, streams, before, problem);
            const Maximum maximum = maximum_of(problem, numbers);
            if (maximum.climbs.empty()) continue;
            before = problem.space->model(maximum.best.at);
            const std::size_t stars = problem.number_of_stars(),
                              parameters = problem.space->dimension();
            NumberRow row{static_cast<std::int64_t>(wedge) + 1, streams,
                          static_cast<std::int64_t>(parameters), maximum.best.value,
                          information_criterion(maximum.best.value, stars, parameters)};
            if (!folds.empty()) row.held_out = held_out(wedge, streams, folds);
            const double criterion = folds.empty() ? row.bic : -row.held_out;
            if (criterion < lowest) lowest = criterion, best = before, chosen = fit_.rows.size();
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

    /// Gives the search the best model with one stream less, and the next stream of the file.
    void add_given(std::size_t wedge, int streams, StreamModel& before, FitProblem& problem) const {
        if (streams == numbers_.fewest() || before.areas.empty()) return;
        before.streams.push_back(
            numbers_.file_model(wedge).streams[static_cast<std::size_t>(streams - 1)]);
        problem.plan.given.push_back(problem.space->point(before));
    }

    /// The mean of log10 over the stars of all folds, each of them in the best model of the others.
    /// `folds`: the best models with one stream less, and at the end with this number. -infinity if
    /// a fold has no model.
    double held_out(std::size_t wedge, int streams, std::vector<StreamModel>& folds) {
        const Numbers numbers = numbers_.alone(wedge, streams);
        double sum = 0, all = 0;
        for (std::size_t f = 0; f < folds.size(); ++f) {
            const auto fold = static_cast<StarPart>(f + 1);
            FitProblem problem = numbers_.problem(numbers, fold);
            add_given(wedge, streams, folds[f], problem);
            const Maximum maximum = maximum_of(problem, numbers, fold);
            if (maximum.climbs.empty()) return -std::numeric_limits<double>::infinity();
            folds[f] = problem.space->model(maximum.best.at);
            const FitProblem held = numbers_.problem(numbers, -fold);
            StageQuestions asked(questions_, numbers, -fold);
            JointObjective objective(asked, *held.space, held.stars_of_wedges());
            const auto stars = static_cast<double>(held.number_of_stars());
            sum += stars * objective.values({&maximum.best.at, 1}).front();
            all += stars;
            ++evaluations_;
        }
        return sum / all;
    }

    Maximum maximum_of(const FitProblem& problem, const Numbers& numbers,
                       StarPart part = all_stars) {
        StageQuestions asked(questions_, numbers, part);
        JointObjective objective(asked, *problem.space, problem.stars_of_wedges());
        const Maximum maximum = maximise(objective, *problem.space, problem.plan, watch_);
        evaluations_ += maximum.evaluations;
        slope_evaluations_ += maximum.slope_evaluations;
        return maximum;
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
