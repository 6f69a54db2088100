// The likelihood's own functions on the default device, against the host's library.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <vector>

#include "kokkos_kernels/likelihood/elementary.hpp"
#include "kokkos_kernels/likelihood/exact/sight_line.hpp"

namespace tessera::kernels {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

template <class Real>
struct PowerOf {
    KOKKOS_FUNCTION Real operator()(Real x) const { return two_to_minus(x); }
};
template <class Real, int Degree>
struct SmallPowerOf {
    KOKKOS_FUNCTION Real operator()(Real x) const { return two_to_small<Degree>(x); }
};
struct RootOf {
    KOKKOS_FUNCTION double operator()(double x) const { return square_root(x); }
};
struct InverseRootOf {
    KOKKOS_FUNCTION double operator()(double x) const { return inverse_root(x); }
};
struct ReciprocalOf {
    KOKKOS_FUNCTION double operator()(double x) const { return reciprocal(x); }
};

template <class Real, class Function>
struct Apply {
    Kokkos::View<Real*, Space> values;
    Function function;
    KOKKOS_FUNCTION void operator()(int i) const { values(i) = function(values(i)); }
};

template <class Real, class Function>
std::vector<Real> on_device(std::vector<Real> x, Function function) {
    using Host = Kokkos::View<Real*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const Host host(x.data(), x.size());
    const Kokkos::View<Real*, Space> device("tessera::test::values", x.size());
    Kokkos::deep_copy(device, host);
    Kokkos::parallel_for("tessera::test::apply",
                         Kokkos::RangePolicy<Space>(0, static_cast<int>(x.size())),
                         Apply<Real, Function>{device, function});
    Kokkos::deep_copy(host, device);
    return x;
}

template <class Real>
std::vector<Real> points(double low, double high) {
    std::vector<Real> x;
    for (int i = 0; i <= 20000; ++i) x.push_back(static_cast<Real>(low + (high - low) * i / 20000));
    return x;
}

/// Largest relative error of `found` against expected(x) in long double.
template <class Real, class Expected>
double worst(const std::vector<Real>& x, const std::vector<Real>& found, Expected&& expected) {
    long double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const long double e = expected(static_cast<long double>(x[i]));
        largest = std::max(largest, std::abs(static_cast<long double>(found[i]) / e - 1));
    }
    return static_cast<double>(largest);
}

template <class Real, int Degree>
double worst_small_power(double reach) {
    const auto x = points<Real>(-reach, reach);
    return worst(x, on_device(x, SmallPowerOf<Real, Degree>{}),
                 [](long double v) { return std::exp2(v); });
}

const auto minus_power = [](long double v) { return std::exp2(-v); };

TEST(LikelihoodElementary, PowersOfTwoInDouble) {
    const auto x = points<double>(0, 1019.9);
    EXPECT_LT(worst(x, on_device(x, PowerOf<double>{}), minus_power), 7e-16);
    EXPECT_EQ(on_device(std::vector<double>{0, 1020, 5000, 1e300}, PowerOf<double>{}),
              (std::vector<double>{1, 0, 0, 0}));
}

TEST(LikelihoodElementary, PowersOfTwoInSingle) {
    const auto x = points<float>(0, 124.9);
    EXPECT_LT(worst(x, on_device(x, PowerOf<float>{}), minus_power), 3e-7);
    EXPECT_EQ(on_device(std::vector<float>{0, 125, 3e30F}, PowerOf<float>{}),
              (std::vector<float>{1, 0, 0}));
}

TEST(LikelihoodElementary, SeriesHoldWithinTheirReachAndFailBeyond) {
    using Double = SeriesReach<double>;
    EXPECT_LT((worst_small_power<double, Double::low>(Double::low_reach)), 1.3e-15);
    EXPECT_LT((worst_small_power<double, Double::middle>(Double::middle_reach)), 1.3e-15);
    EXPECT_LT((worst_small_power<double, Double::high>(Double::high_reach)), 1.5e-15);
    EXPECT_GT((worst_small_power<double, Double::low>(2 * Double::low_reach)), 3e-14);
    using Single = SeriesReach<float>;
    EXPECT_LT((worst_small_power<float, Single::low>(Single::low_reach)), 2e-7);
    EXPECT_LT((worst_small_power<float, Single::middle>(Single::middle_reach)), 2e-7);
    EXPECT_LT((worst_small_power<float, Single::high>(Single::high_reach)), 2e-7);
}

TEST(LikelihoodElementary, RootsAndReciprocals) {
    for (const auto& [low, high] : {std::pair{1e-6, 1.0}, {1.0, 1e5}, {1e-20, 1e-10}}) {
        const auto x = points<double>(low, high);
        EXPECT_LT(worst(x, on_device(x, RootOf{}), [](long double v) { return std::sqrt(v); }),
                  5e-16);
        EXPECT_LT(
            worst(x, on_device(x, InverseRootOf{}), [](long double v) { return 1 / std::sqrt(v); }),
            5e-16);
        EXPECT_LT(worst(x, on_device(x, ReciprocalOf{}), [](long double v) { return 1 / v; }),
                  5e-16);
    }
}

TEST(SightLine, QuadraticIsTheSquaredDistanceAndLosesNothingNearTheClosestApproach) {
    const DeviceVec start{-8.5, 0.25, 3}, step{0.6, -0.1, 0.3};
    const Quadratic<double> q = squared_length(start, step, 2);
    // Closest approach at r = -start.step / step.step.
    const double closest = (8.5 * 0.6 + 0.25 * 0.1 - 3 * 0.3) / (0.36 + 0.01 + 0.09);
    for (const double r : {0.0, closest, closest + 1e-6, 30.0}) {
        long double expected = 0;
        for (const auto& [s, d] : {std::pair{-8.5L, 0.6L}, {0.25L, -0.1L}, {3.0L, 0.3L}})
            expected += (s + r * d) * (s + r * d);
        const double t = q.root_at(r);
        EXPECT_NEAR((t * t + q.c) / (4 * static_cast<double>(expected)), 1, 1e-15) << r;
    }
    EXPECT_EQ(q.least(0, 100), q.c);
    EXPECT_GT(q.least(20, 100), q.c);
    EXPECT_GE(q.largest(0, 100), q.least(0, 100));
}

TEST(SightLine, AlongTheAxisTheDistanceStays) {
    const DeviceVec axis{0, 0.6, 0.8};
    const Quadratic<double> q =
        squared_length(DeviceVec{1, 2, 3}.across(axis), axis.across(axis), 1);
    const double expected = 14 - (2 * 0.6 + 3 * 0.8) * (2 * 0.6 + 3 * 0.8);
    for (const double r : {0.0, 5.0, 80.0}) {
        const double t = q.root_at(r);
        EXPECT_NEAR(t * t + q.c, expected, 1e-13);
    }
}

}  // namespace
}  // namespace tessera::kernels
