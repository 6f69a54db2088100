// The order in which the threads of a GPU take the stars.
#include "likelihood/compressed/star_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace tessera::likelihood {
namespace {

using kernels::compressed::check_every;
using kernels::compressed::is_checked;

constexpr std::array<Vec3, 3> frame{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// Stars along a stripe of 90 degrees.
kernels::compressed::StarTables stars_of_stripe(int count) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> mu(0, std::numbers::pi / 2), logarithm(1, 4);
    kernels::compressed::StarTables stars;
    stars.count = count;
    for (int i = 0; i < count; ++i) {
        const double angle = mu(random);
        stars.direction.insert(stars.direction.end(), {std::cos(angle), std::sin(angle), 0});
        stars.distance.push_back(std::exp(logarithm(random)));
    }
    return stars;
}

/// The mean range of `value` in 32 stars that follow each other.
template <class Value>
double mean_range(int count, const Value& value) {
    double sum = 0;
    int warps = 0;
    for (int first = 0; first + 32 <= count; first += 32, ++warps) {
        double low = value(first), high = low;
        for (int i = first; i < first + 32; ++i) {
            low = std::min(low, value(i));
            high = std::max(high, value(i));
        }
        sum += high - low;
    }
    return sum / warps;
}

TEST(StarOrder, EveryStarComesOnce) {
    for (const int count : {0, 1, 15, 16, 1000}) {
        std::vector<int> order = neighbours_together(stars_of_stripe(count), frame);
        std::sort(order.begin(), order.end());
        ASSERT_EQ(static_cast<int>(order.size()), count);
        for (int i = 0; i < count; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
    }
}

TEST(StarOrder, CheckedStarsComeLast) {
    const int count = 10000, every = check_every(count);
    ASSERT_GT(every, 1);
    const std::vector<int> order = neighbours_together(stars_of_stripe(count), frame);
    EXPECT_TRUE(std::is_partitioned(order.begin(), order.end(),
                                    [&](int star) { return !is_checked(star, every); }));
}

TEST(StarOrder, StarsOfAWarpAreClose) {
    const int count = 10000;
    const auto stars = stars_of_stripe(count);
    const std::vector<int> order = neighbours_together(stars, frame);
    const auto star = [&](int i) { return static_cast<std::size_t>(order[std::size_t(i)]); };
    const auto logarithm = [&](int i) { return std::log(stars.distance[star(i)]); };
    const auto mu = [&](int i) {
        const double* e = stars.direction.data() + 3 * star(i);
        return std::atan2(e[1], e[0]);
    };
    // A range of mu has 625 stars, of which a warp has a twentieth. Its range of mu is a sixteenth
    // of the stripe's, except in a few warps that contain stars of two.
    EXPECT_LT(mean_range(count, logarithm), 3.0 / 5);
    EXPECT_LT(mean_range(count, mu), 1.5 * std::numbers::pi / 2 / 16);
}

}  // namespace
}  // namespace tessera::likelihood
