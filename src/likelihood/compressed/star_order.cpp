#include "likelihood/compressed/star_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::likelihood {

namespace {

constexpr std::size_t ranges_of_mu = 16;

}  // namespace

std::vector<int> neighbours_together(const kernels::compressed::StarTables& stars,
                                     const std::array<Vec3, 3>& frame) {
    const auto count = static_cast<std::size_t>(stars.count);
    std::vector<double> mu(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double* e = stars.direction.data() + 3 * i;
        const Vec3 direction{e[0], e[1], e[2]};
        mu[i] = std::atan2(dot(direction, frame[1]), dot(direction, frame[0]));
    }
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    const auto sort_by = [](auto first, auto last, const std::vector<double>& key) {
        std::sort(first, last, [&](int a, int b) {
            const double x = key[static_cast<std::size_t>(a)], y = key[static_cast<std::size_t>(b)];
            return x < y || (x == y && a < b);
        });
    };
    sort_by(order.begin(), order.end(), mu);
    for (std::size_t range = 0; range < ranges_of_mu; ++range) {
        const auto at = [&](std::size_t i) {
            return order.begin() + static_cast<std::ptrdiff_t>(i * count / ranges_of_mu);
        };
        sort_by(at(range), at(range + 1), stars.distance);
    }
    const int every = kernels::compressed::check_every(stars.count);
    std::stable_partition(order.begin(), order.end(), [every](int star) {
        return !kernels::compressed::is_checked(star, every);
    });
    return order;
}

}  // namespace tessera::likelihood
