#include "likelihood/fit/joint_objective.hpp"

#include <map>

#include "core/compensated_sum.hpp"

namespace tessera::likelihood {

JointObjective::Questions JointObjective::questions(std::span<const Point> points) const {
    const std::size_t n = space_.dimension();
    Questions questions;
    std::map<Point, std::size_t> places;
    for (const Point& point : points)
        for (std::size_t w = 0; w < stars_.size(); ++w) {
            Point question(n + 1, 0.0);
            for (std::size_t i = 0; i < n; ++i)
                if (space_.free()[i].concerns(w)) question[i] = point[i];
            question[n] = static_cast<double>(w);
            const auto [found, is_new] = places.emplace(question, questions.asked.size());
            if (is_new) questions.asked.push_back(std::move(question));
            questions.places.push_back(found->second);
        }
    return questions;
}

template <class OfWedge>
double JointObjective::mean(const OfWedge& of_wedge) const {
    CompensatedSum<double> sum;
    double all = 0;
    for (std::size_t w = 0; w < stars_.size(); ++w) {
        const double value = of_wedge(w);
        if (value == rejected) return rejected;
        sum.add(value * static_cast<double>(stars_[w]));
        all += static_cast<double>(stars_[w]);
    }
    return sum.result() / all;
}

std::vector<double> JointObjective::values(std::span<const Point> points) {
    if (stars_.size() == 1) return each_.values(points);
    const auto [asked, places] = questions(points);
    const auto answers = each_.values(asked);
    std::vector<double> found;
    for (std::size_t p = 0; p < points.size(); ++p)
        found.push_back(
            mean([&](std::size_t w) { return answers[places[p * stars_.size() + w]]; }));
    return found;
}

std::vector<Slope> JointObjective::slopes(std::span<const Point> points) {
    if (stars_.size() == 1) return each_.slopes(points);
    const auto [asked, places] = questions(points);
    const auto answers = each_.slopes(asked);
    std::vector<Slope> found;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const auto answer = [&](std::size_t w) -> const Slope& {
            return answers[places[p * stars_.size() + w]];
        };
        Slope slope{mean([&](std::size_t w) { return answer(w).value; }),
                    Point(space_.dimension(), 0.0)};
        for (std::size_t i = 0; slope.value > rejected && i < space_.dimension(); ++i)
            slope.gradient[i] = mean([&](std::size_t w) { return answer(w).gradient[i]; });
        found.push_back(std::move(slope));
    }
    return found;
}

}  // namespace tessera::likelihood
