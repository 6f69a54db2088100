#include "likelihood/fit/stream_objective.hpp"

#include <algorithm>
#include <cmath>

#include "likelihood/model/evaluation_checks.hpp"

namespace tessera::likelihood {

std::vector<StreamModel> StreamObjective::models(std::span<const Point> points) const {
    std::vector<StreamModel> models;
    for (const Point& point : points) models.push_back(space_.model(point));
    return models;
}

double StreamObjective::value(const Evaluation& evaluation) {
    bool whole = std::isfinite(evaluation.search_likelihood) && evaluation.background_integral > 0;
    for (std::size_t s = 0; s < evaluation.stream_integrals.size(); ++s) {
        const double integral = evaluation.stream_integrals[s];
        const bool is_empty =
            std::ranges::find(evaluation.empty_streams, static_cast<int>(s) + 1) !=
            evaluation.empty_streams.end();
        whole = whole && (is_empty || (std::isfinite(integral) && integral > 0));
    }
    if (!whole) return rejected;
    if (!cut_warnings(evaluation, "").empty()) {
        ++cut_away_;
        return rejected;
    }
    return evaluation.search_likelihood;
}

std::vector<double> StreamObjective::values(std::span<const Point> points) {
    std::vector<double> found;
    for (const Evaluation& one : evaluator_.evaluate(models(points), {false, false}))
        found.push_back(value(one));
    return found;
}

std::vector<Slope> StreamObjective::slopes(std::span<const Point> points) {
    std::vector<Slope> found;
    for (const Evaluation& one : evaluator_.evaluate(models(points), {false, true})) {
        Slope slope{value(one), Point(space_.dimension(), 0.0)};
        for (std::size_t i = 0; slope.value > rejected && i < space_.dimension(); ++i) {
            const FreeParameter& free = space_.free()[i];
            slope.gradient[i] = one.gradient.at(free.index) * free.width();
            if (!std::isfinite(slope.gradient[i]))
                slope = {rejected, Point(space_.dimension(), 0.0)};
        }
        found.push_back(slope);
    }
    return found;
}

}  // namespace tessera::likelihood
