#include "likelihood/fit/population_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

namespace {

constexpr double distinct = 0.03;  // in the cube; nearer members would climb to the same maximum

}  // namespace

std::vector<std::size_t> by_likelihood(const std::vector<Candidate>& population) {
    std::vector<std::size_t> order(population.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&](auto a, auto b) { return population[a].value > population[b].value; });
    return order;
}

bool has_settled(const std::vector<Candidate>& population, double tolerance) {
    const auto order = by_likelihood(population);
    const double best = population[order.front()].value;
    return best > rejected && best - population[order[order.size() / 2]].value < tolerance;
}

std::vector<Point> first_points(const Space& space, const PopulationOptions& options) {
    std::vector<Point> points = options.given;
    points.resize(std::min(points.size(), static_cast<std::size_t>(options.population)));
    while (points.size() < static_cast<std::size_t>(options.population)) {
        RandomStream random{options.seed, options.start, 0, points.size()};
        points.push_back(space.random_point(random));
    }
    return points;
}

std::vector<Point> distinct_leaders(const Space& space, const std::vector<Candidate>& population,
                                    std::size_t most) {
    std::vector<Point> chosen;
    for (const std::size_t i : by_likelihood(population)) {
        const Candidate& member = population[i];
        if (chosen.size() == most || !(member.value > rejected)) break;
        const auto is_near = [&](const Point& other) {
            const Point image = space.image_near(member.at, other);
            double apart = 0;
            for (std::size_t k = 0; k < image.size(); ++k)
                apart = std::max(apart, std::abs(image[k] - other[k]));
            return apart < distinct;
        };
        if (std::ranges::none_of(chosen, is_near)) chosen.push_back(space.folded(member.at));
    }
    return chosen;
}

Point pulled_inside(const Space& space, Point point, const Point& from) {
    for (std::size_t i = 0; i < point.size(); ++i)
        if (!space.goes_round(i) && (point[i] < 0 || point[i] > 1))
            point[i] = ((point[i] < 0 ? 0.0 : 1.0) + from[i]) / 2;
    return point;
}

}  // namespace tessera::likelihood
