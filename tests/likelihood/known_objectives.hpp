// Functions whose maxima are known, over the unit cube.
#pragma once

#include <cmath>
#include <numbers>

#include "likelihood/fit/objective.hpp"

namespace tessera::test {

using likelihood::Objective;
using likelihood::Point;
using likelihood::Slope;

/// An objective from a function of one point that gives its slope; counts what it is asked.
template <class Function>
class FunctionObjective : public Objective {
  public:
    explicit FunctionObjective(Function function) : function_(function) {}

    std::vector<double> values(std::span<const Point> points) override {
        ++batches;
        asked += points.size();
        std::vector<double> found;
        for (const Point& point : points) found.push_back(function_(point).value);
        return found;
    }

    std::vector<Slope> slopes(std::span<const Point> points) override {
        ++batches;
        asked += points.size();
        std::vector<Slope> found;
        for (const Point& point : points) found.push_back(function_(point));
        return found;
    }

    std::size_t batches = 0, asked = 0;

  private:
    Function function_;
};

/// Minus Rosenbrock's function with u in the cube standing for x = low + (high - low) u.
inline auto rosenbrock(double low, double high) {
    return [=](const Point& u) {
        const double width = high - low;
        Slope slope{0, Point(u.size(), 0.0)};
        for (std::size_t i = 0; i + 1 < u.size(); ++i) {
            const double x = low + width * u[i], y = low + width * u[i + 1];
            const double valley = y - x * x;
            slope.value -= 100 * valley * valley + (1 - x) * (1 - x);
            slope.gradient[i] += width * (400 * valley * x + 2 * (1 - x));
            slope.gradient[i + 1] -= width * 200 * valley;
        }
        return slope;
    };
}

/// Minus Rastrigin's function, thousands of maxima; the highest, 0, where every u is `at`.
inline auto rastrigin(double at) {
    return [=](const Point& u) {
        constexpr double pi = std::numbers::pi, width = 10.24;
        Slope slope{0, Point(u.size(), 0.0)};
        for (std::size_t i = 0; i < u.size(); ++i) {
            const double x = width * (u[i] - at);
            slope.value -= 10 + x * x - 10 * std::cos(2 * pi * x);
            slope.gradient[i] = -width * (2 * x + 20 * pi * std::sin(2 * pi * x));
        }
        return slope;
    };
}

}  // namespace tessera::test
