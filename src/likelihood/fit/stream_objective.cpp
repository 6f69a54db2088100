#include "likelihood/fit/stream_objective.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "likelihood/model/evaluation_checks.hpp"

namespace tessera::likelihood {

std::size_t StreamObjective::wedge_of(const Point& point) const {
    const std::size_t n = space_.dimension();
    return point.size() > n ? static_cast<std::size_t>(point[n]) : 0;
}

/// Each wedge evaluates its points in one batch.
std::vector<Evaluation> StreamObjective::evaluate(std::span<const Point> points, Wanted wanted) {
    std::vector<Evaluation> found(points.size());
    for (std::size_t w = 0; w < evaluators_.size(); ++w) {
        std::vector<StreamModel> models;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (wedge_of(points[i]) != w) continue;
            models.push_back(space_.model(points[i], w));
            places.push_back(i);
        }
        if (models.empty()) continue;
        auto evaluations = evaluators_[w]->evaluate(models, wanted);
        for (std::size_t k = 0; k < places.size(); ++k)
            found[places[k]] = std::move(evaluations[k]);
    }
    return found;
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
    for (const Evaluation& one : evaluate(points, {false, false})) found.push_back(value(one));
    return found;
}

std::vector<Slope> StreamObjective::slopes(std::span<const Point> points) {
    std::vector<Slope> found;
    const auto evaluations = evaluate(points, {false, true});
    for (std::size_t k = 0; k < points.size(); ++k) {
        const std::size_t wedge = wedge_of(points[k]);
        Slope slope{value(evaluations[k]), Point(points[k].size(), 0.0)};
        for (std::size_t i = 0; slope.value > rejected && i < space_.dimension(); ++i) {
            const FreeParameter& free = space_.free()[i];
            const auto index = free.index_in(wedge);
            if (!index) continue;
            slope.gradient[i] = evaluations[k].gradient.at(*index) * free.width();
            if (!std::isfinite(slope.gradient[i])) slope = {rejected, Point(points[k].size(), 0.0)};
        }
        found.push_back(slope);
    }
    return found;
}

}  // namespace tessera::likelihood
