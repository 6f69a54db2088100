#include "likelihood/fit/quadratic_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::likelihood {

namespace {

/// The point `errors` standard errors of coordinate `i` away from the maximum. Empty if it is
/// beyond a bound.
Point predicted(const Space& space, const Maximum& maximum, std::size_t i, double errors) {
    const Matrix& covariance = maximum.errors.covariance;
    const double step = errors * std::sqrt(covariance(i, i));
    Point point = maximum.best.at;
    for (std::size_t j = 0; j < point.size(); ++j) {
        if (maximum.errors.verdicts[j] != Verdict::determined) continue;
        point[j] += step * covariance(j, i) / covariance(i, i);
        if (space.goes_round(j)) continue;
        if (i == j && (point[j] < 0 || point[j] > 1)) return {};
        point[j] = std::clamp(point[j], 0.0, 1.0);
    }
    return point;
}

}  // namespace

std::vector<Drops> drops_around(Objective& objective, const Space& space, const Maximum& maximum,
                                double unit) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<Drops> drops(space.dimension(), Drops{nan, nan, nan, nan});
    std::vector<Point> points;
    std::vector<double*> answers;
    for (std::size_t i = 0; i < drops.size(); ++i)
        for (std::size_t k = 0; k < check_places.size(); ++k) {
            if (maximum.errors.verdicts.at(i) != Verdict::determined) continue;
            Point point = predicted(space, maximum, i, check_places[k]);
            if (point.empty()) continue;
            points.push_back(std::move(point));
            answers.push_back(&drops[i][k]);
        }
    if (points.empty()) return drops;
    const auto values = objective.values(points);
    for (std::size_t p = 0; p < points.size(); ++p)
        *answers[p] = unit * (maximum.best.value - values[p]);
    return drops;
}

bool is_quadratic(const Drops& drops) {
    for (std::size_t k = 0; k < drops.size(); ++k) {
        const double expected = check_places[k] * check_places[k] / 2;
        if (!(std::abs(drops[k] - expected) <= tolerated_share * expected)) return false;
    }
    return true;
}

std::int64_t checked_points(const std::vector<Drops>& drops) {
    std::int64_t count = 0;
    for (const Drops& of_one : drops)
        count += std::ranges::count_if(of_one, [](double drop) { return !std::isnan(drop); });
    return count;
}

}  // namespace tessera::likelihood
