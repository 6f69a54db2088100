#include "likelihood/sample/hill_set.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::likelihood {

namespace {

// At the centre of a hill another hill has at most this share, e^-12, if they lie far apart.
constexpr double contrast = 12;

Point difference(const Point& a, const Point& b) {
    Point found = a;
    for (std::size_t i = 0; i < a.size(); ++i) found[i] -= b[i];
    return found;
}

/// The distance between the centres, in standard deviations of a hill.
double distance(const Point& apart, const Matrix& precision) {
    return std::sqrt(dot(apart, product(precision, apart)));
}

Matrix mean_covariance(const std::vector<HillShape>& hills) {
    Matrix mean(hills.front().centre.size());
    for (const HillShape& hill : hills)
        for (std::size_t i = 0; i < mean.values.size(); ++i)
            mean.values[i] += hill.covariance.values[i] / static_cast<double>(hills.size());
    return mean;
}

}  // namespace

HillSet::HillSet(std::vector<HillShape> hills) : hills_(std::move(hills)) {
    const std::size_t n = hills_.front().centre.size();
    const Matrix precision = power(mean_covariance(hills_), -1);
    const Matrix of_first = power(hills_.front().covariance, -1);
    double least = contrast;  // contrast of the two hills that are nearest to each other
    shares_.push_back({Point(n, 0.0), Point(n, 0.0)});
    for (std::size_t k = 1; k < hills_.size(); ++k) {
        const Point apart = difference(hills_[k].centre, hills_.front().centre);
        const double here = distance(apart, of_first);
        const double there = distance(apart, power(hills_[k].covariance, -1));
        // The border is equally far from both centres, as each hill measures it.
        const double place = there / (here + there);
        Share share{product(precision, apart), hills_.front().centre};
        for (std::size_t i = 0; i < n; ++i) share.border[i] += place * apart[i];
        const double rise = std::min(place, 1 - place) * dot(share.slope, apart);
        least = k == 1 ? rise : std::min(least, rise);
        shares_.push_back(std::move(share));
    }
    const double calm = std::min(1.0, contrast / least);
    for (Share& share : shares_)
        for (double& slope : share.slope) slope *= calm;
    for (const HillShape& from : hills_)
        for (const HillShape& to : hills_)
            maps_.push_back(&from == &to ? std::vector<AffineMap>{} : hill_maps(from, to));
    for (std::size_t one = 0; one < size(); ++one)
        for (std::size_t other = one + 1; other < size(); ++other)
            for (std::size_t map = 0; map < maps(one, other).size(); ++map)
                jumps_.push_back({one, other, map});
}

std::vector<double> HillSet::log_shares(const Point& at) const {
    std::vector<double> logs;
    double largest = 0;  // that of the first hill
    for (const Share& share : shares_) {
        logs.push_back(dot(share.slope, difference(at, share.border)));
        largest = std::max(largest, logs.back());
    }
    double sum = 0;
    for (const double log : logs) sum += std::exp(log - largest);
    for (double& log : logs) log -= largest + std::log(sum);
    return logs;
}

Point HillSet::log_share_gradient(std::size_t k, const Point& at) const {
    Point gradient = shares_[k].slope;
    const auto logs = log_shares(at);
    for (std::size_t other = 0; other < size(); ++other)
        for (std::size_t i = 0; i < gradient.size(); ++i)
            gradient[i] -= std::exp(logs[other]) * shares_[other].slope[i];
    return gradient;
}

}  // namespace tessera::likelihood
