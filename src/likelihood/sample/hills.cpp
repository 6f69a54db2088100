#include "likelihood/sample/hills.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "likelihood/sample/metric_estimate.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::size_t lag = 10;                  // draws
constexpr double slow = 0.5;                     // correlation of draws that are so far apart
constexpr std::size_t pairs_per_dimension = 20;  // chance correlations stay below that

using PointChains = std::vector<std::vector<Point>>;

/// The points of the chains in coordinates of unit covariance, without their mean.
PointChains whitened(const PointChains& chains) {
    std::vector<Point> all;
    for (const auto& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
    const Moments moments = pulled_moments(all);
    const Matrix inverse = power(moments.covariance, -0.5);
    PointChains white = chains;
    for (auto& chain : white)
        for (Point& point : chain) {
            for (std::size_t i = 0; i < point.size(); ++i) point[i] -= moments.mean[i];
            point = product(inverse, point);
        }
    return white;
}

/// The correlation of draws that are `lag` apart, made symmetric.
Matrix lagged_correlation(const PointChains& chains, std::size_t dimension) {
    Matrix correlation(dimension);
    double pairs = 0;
    for (const auto& chain : chains)
        for (std::size_t d = lag; d < chain.size(); ++d, ++pairs)
            for (std::size_t i = 0; i < dimension; ++i)
                for (std::size_t j = 0; j < dimension; ++j)
                    correlation(i, j) +=
                        (chain[d - lag][i] * chain[d][j] + chain[d][i] * chain[d - lag][j]) / 2;
    for (double& value : correlation.values) value /= pairs;
    return correlation;
}

/// The value that divides numbers in two classes with the least variance within them (Otsu 1979).
double dividing_value(std::vector<double> numbers) {
    std::ranges::sort(numbers);
    double total = 0;
    for (const double x : numbers) total += x;
    const auto count = static_cast<double>(numbers.size());
    double below = 0, best = -1, value = 0;
    for (std::size_t k = 1; k < numbers.size(); ++k) {
        below += numbers[k - 1];
        const double n = static_cast<double>(k);
        const double apart = below / n - (total - below) / (count - n);
        const double between = n * (count - n) * apart * apart;
        if (between <= best) continue;
        best = between;
        value = (numbers[k - 1] + numbers[k]) / 2;
    }
    return value;
}

Hills::Hill hill_of(const std::vector<Point>& points, std::size_t of, const Matrix& metric) {
    const Matrix scale = power(metric, 0.5), inverse = power(metric, -0.5);
    std::vector<Point> scaled;
    for (const Point& point : points) scaled.push_back(product(inverse, point));
    const Moments moments = pulled_moments(scaled);
    const auto lower = cholesky(between(scale, moments.covariance));
    if (!lower)
        throw Error("the covariance of a hill is not positive definite", "this is a bug",
                    "report it", ExitCode::internal);
    Hills::Hill hill{product(scale, moments.mean), *lower, 0,
                     std::log(static_cast<double>(points.size()) / static_cast<double>(of))};
    for (std::size_t i = 0; i < lower->n; ++i) hill.log_volume += std::log((*lower)(i, i));
    return hill;
}

std::optional<Hills> hills_of(const std::array<std::vector<Point>, 2>& sides,
                              const Matrix& metric) {
    const std::size_t all = sides[0].size() + sides[1].size();
    if (std::min(sides[0].size(), sides[1].size()) < 2 * metric.n) return {};
    return Hills({hill_of(sides[0], all, metric), hill_of(sides[1], all, metric)});
}

/// Solves lower x = right.
Point solved(const Matrix& lower, Point right) {
    for (std::size_t i = 0; i < right.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) right[i] -= lower(i, k) * right[k];
        right[i] /= lower(i, i);
    }
    return right;
}

/// The position in a hill, in units of its standard deviations.
Point position(const Hills::Hill& hill, Point at) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] -= hill.mean[i];
    return solved(hill.lower, std::move(at));
}

}  // namespace

std::array<double, 2> Hills::log_shares(const Point& at) const {
    std::array<double, 2> logs{};
    for (std::size_t k = 0; k < 2; ++k) {
        const Point away = position(hills_[k], at);
        logs[k] = hills_[k].log_share - hills_[k].log_volume - dot(away, away) / 2;
    }
    const double difference = logs[1] - logs[0];
    const auto log_share = [](double others) {  // -ln(1 + e^others)
        return others > 0 ? -others - std::log1p(std::exp(-others)) : -std::log1p(std::exp(others));
    };
    return {log_share(difference), log_share(-difference)};
}

Jump Hills::jump(const Point& at, RandomStream& random) const {
    const auto here = log_shares(at);
    const std::size_t from = random.uniform() < std::exp(here[0]) ? 0 : 1, to = 1 - from;
    Jump jump{product(hills_[to].lower, position(hills_[from], at)), 0};
    for (std::size_t i = 0; i < at.size(); ++i) jump.to[i] += hills_[to].mean[i];
    jump.log_factor =
        log_shares(jump.to)[to] - here[from] + hills_[to].log_volume - hills_[from].log_volume;
    return jump;
}

std::size_t Hills::hill_at(const Point& at) const {
    const auto shares = log_shares(at);
    return shares[0] > shares[1] ? 0 : 1;
}

std::vector<Image> Hills::centred(const std::vector<Image>& draws) const {
    std::vector<Image> all = draws;
    for (Image& draw : all) {
        const Point& mean = hills_[hill_at(draw.line)].mean;
        for (std::size_t i = 0; i < mean.size(); ++i) draw.line[i] -= mean[i];
    }
    return all;
}

std::optional<Hills> find_hills(const ImageChains& draws, const Matrix& metric) {
    const std::size_t n = metric.n;
    std::size_t pairs = 0;
    for (const auto& chain : draws) pairs += std::max(chain.size(), lag) - lag;
    if (pairs < pairs_per_dimension * n) return {};
    const Matrix inverse = power(metric, -0.5);
    PointChains chains(draws.size());
    for (std::size_t k = 0; k < draws.size(); ++k)
        for (const Image& draw : draws[k]) chains[k].push_back(product(inverse, draw.line));
    const PointChains white = whitened(chains);
    const Eigensystem system = eigensystem(lagged_correlation(white, n));
    if (system.values.back() < slow) return {};

    Point direction(n);
    for (std::size_t i = 0; i < n; ++i) direction[i] = system.vectors(i, n - 1);
    std::vector<double> places;
    for (const auto& chain : white)
        for (const Point& point : chain) places.push_back(dot(direction, point));
    const double border = dividing_value(places);
    std::array<std::vector<Point>, 2> sides;
    auto place = places.begin();
    for (const auto& chain : draws)
        for (const Image& draw : chain) sides[*place++ < border ? 0 : 1].push_back(draw.line);
    return hills_of(sides, metric);
}

std::optional<Hills> learn_again(const Hills& hills, const ImageChains& draws,
                                 const Matrix& metric) {
    std::array<std::vector<Point>, 2> sides;
    for (const auto& chain : draws)
        for (const Image& draw : chain) sides[hills.hill_at(draw.line)].push_back(draw.line);
    return hills_of(sides, metric);
}

}  // namespace tessera::likelihood
