#include "likelihood/sample/hill_maps.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "likelihood/sample/metric_estimate.hpp"

namespace tessera::likelihood {

namespace {

// Standard deviations between the centres, from which on hills lie apart and far apart.
constexpr double apart = 0.5, far_apart = 1.5;

using Places = std::vector<std::size_t>;

/// The coordinates in which the centres are more than `least` standard deviations apart, or the one
/// in which they are most.
Places places_apart(const HillShape& a, const HillShape& b, double least) {
    Places found;
    std::size_t furthest = 0;
    double most = -1;
    for (std::size_t i = 0; i < a.centre.size(); ++i) {
        const double variance = (a.covariance(i, i) + b.covariance(i, i)) / 2;
        const double distance = std::abs(a.centre[i] - b.centre[i]) / std::sqrt(variance);
        if (distance > least) found.push_back(i);
        if (distance > most) most = distance, furthest = i;
    }
    if (found.empty()) found.push_back(furthest);
    return found;
}

/// The normal density of some coordinates, given all others.
struct Conditional {
    Matrix covariance;
    Matrix slope;  ///< of the mean, [one of some, any other]; zeros for the coordinates themselves
};

Conditional given_others(const Matrix& covariance, const Places& some) {
    const Matrix precision = power(covariance, -1);
    Conditional found{power(submatrix(precision, some), -1), Matrix(covariance.n)};
    for (std::size_t r = 0; r < some.size(); ++r)
        for (std::size_t j = 0; j < covariance.n; ++j) {
            if (std::ranges::find(some, j) != some.end()) continue;
            for (std::size_t c = 0; c < some.size(); ++c)
                found.slope(r, j) -= found.covariance(r, c) * precision(some[c], j);
        }
    return found;
}

AffineMap map_of_part(const HillShape& from, const HillShape& to, const Places& some) {
    const std::size_t n = from.centre.size();
    const Conditional here = given_others(from.covariance, some);
    const Conditional there = given_others(to.covariance, some);
    const Matrix moves = transport(here.covariance, there.covariance);
    AffineMap map{from.centre, from.centre, Matrix(n, 1.0),
                  (log_determinant(there.covariance) - log_determinant(here.covariance)) / 2};
    for (std::size_t r = 0; r < some.size(); ++r) {
        const std::size_t i = some[r];
        map.to[i] = to.centre[i];
        for (std::size_t j = 0; j < n; ++j) {
            map.linear(i, j) = there.slope(r, j);
            map.to[i] += there.slope(r, j) * (from.centre[j] - to.centre[j]);
            for (std::size_t c = 0; c < some.size(); ++c)
                map.linear(i, j) -= moves(r, c) * here.slope(c, j);
        }
        for (std::size_t c = 0; c < some.size(); ++c) map.linear(i, some[c]) = moves(r, c);
    }
    return map;
}

}  // namespace

Point AffineMap::operator()(const Point& at) const {
    Point away = at;
    for (std::size_t i = 0; i < at.size(); ++i) away[i] -= from[i];
    Point mapped = product(linear, away);
    for (std::size_t i = 0; i < at.size(); ++i) mapped[i] += to[i];
    return mapped;
}

double log_determinant(const Matrix& matrix) {
    const auto lower = cholesky(matrix);
    if (!lower)
        throw Error("the covariance of a hill is not positive definite", "this is a bug",
                    "report it", ExitCode::internal);
    double log = 0;
    for (std::size_t i = 0; i < lower->n; ++i) log += 2 * std::log((*lower)(i, i));
    return log;
}

Matrix transport(const Matrix& from, const Matrix& to) {
    const Matrix root = power(from, 0.5), inverse = power(from, -0.5);
    return between(inverse, power(between(root, to), 0.5));
}

std::vector<AffineMap> hill_maps(const HillShape& from, const HillShape& to) {
    const double log_volume =
        (log_determinant(to.covariance) - log_determinant(from.covariance)) / 2;
    const Places some = places_apart(from, to, apart), few = places_apart(from, to, far_apart);
    std::vector<AffineMap> maps{
        {from.centre, to.centre, transport(from.covariance, to.covariance), log_volume},
        {from.centre, to.centre, Matrix(from.centre.size(), 1.0), 0},
        map_of_part(from, to, some)};
    if (few != some) maps.push_back(map_of_part(from, to, few));
    return maps;
}

}  // namespace tessera::likelihood
