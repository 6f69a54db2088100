#include "likelihood/exact/differenced_evaluator.hpp"

#include <cmath>
#include <utility>

namespace tessera::likelihood {

namespace {

class DifferencedEvaluator final : public WedgeEvaluator {
  public:
    DifferencedEvaluator(std::unique_ptr<WedgeEvaluator> evaluator, std::vector<Differenced> free,
                         double noise)
        : evaluator_(std::move(evaluator)), free_(std::move(free)), step_(std::cbrt(noise)) {}

    std::vector<Evaluation> evaluate(std::span<const StreamModel> sets, Wanted wanted) override {
        const bool with_gradient = std::exchange(wanted.gradient, false);
        auto evaluations = evaluator_->evaluate(sets, wanted);
        if (!with_gradient) return evaluations;
        for (std::size_t s = 0; s < sets.size(); ++s) evaluations[s].gradient = gradient(sets[s]);
        return evaluations;
    }

  private:
    std::vector<double> gradient(const StreamModel& model) {
        const std::vector<double> at = parameter_values(model);
        std::vector<StreamModel> moved;
        std::vector<double> widths;
        for (const auto& [place, width] : free_) {
            const double step = step_ * width;
            std::vector<double> above = at, below = at;
            above[place] += step;
            below[place] -= step;
            widths.push_back(above[place] - below[place]);
            moved.push_back(with_values(model, above));
            moved.push_back(with_values(model, below));
        }
        const auto found = evaluator_->evaluate(moved, {false, false});
        std::vector<double> slopes(at.size(), 0.0);
        for (std::size_t k = 0; k < free_.size(); ++k)
            slopes[free_[k].place] =
                (found[2 * k].search_likelihood - found[2 * k + 1].search_likelihood) / widths[k];
        return slopes;
    }

    std::unique_ptr<WedgeEvaluator> evaluator_;
    std::vector<Differenced> free_;
    double step_;
};

}  // namespace

std::unique_ptr<WedgeEvaluator>
make_differenced_evaluator(std::unique_ptr<WedgeEvaluator> evaluator, std::vector<Differenced> free,
                           double noise) {
    return std::make_unique<DifferencedEvaluator>(std::move(evaluator), std::move(free), noise);
}

}  // namespace tessera::likelihood
