// The electrostatic potential of Hermite Gaussians against its integral, by quadrature.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "backends.hpp"
#include "core/error.hpp"
#include "kokkos_kernels/orbitals/esp/potential_evaluator.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;

class PotentialOn : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, PotentialOn, ::testing::ValuesIn(backends), backend_name);

/// Nodes and weights of Gauss and Legendre on [-1, 1].
std::vector<std::pair<double, double>> gauss_legendre(int n) {
    std::vector<std::pair<double, double>> rule;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0;
        for (int step = 0; step < 50; ++step) {
            double before = 1, value = x;
            for (int k = 2; k <= n; ++k) {
                const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                before = std::exchange(value, next);
            }
            slope = n * (x * value - before) / (x * x - 1);
            x -= value / slope;
        }
        rule.push_back({x, 2 / ((1 - x * x) * slope * slope)});
    }
    return rule;
}

/// The integral of f over [0, end].
template <class Function>
double integral(double end, const Function& f) {
    static const auto rule = gauss_legendre(20);
    constexpr int panels = 12;
    const double half = end / (2 * panels);
    double sum = 0;
    for (int panel = 0; panel < panels; ++panel)
        for (const auto& [x, weight] : rule) sum += weight * half * f((2 * panel + 1 + x) * half);
    return sum;
}

/// (-1)^t times the t-th derivative of exp(-w x^2), by the recursion of Hermite's polynomials.
double fading(int t, double w, double x) {
    double before = 0, value = 1;
    for (int k = 0; k < t; ++k) {
        const double next = 2 * w * x * value - 2 * w * k * before;
        before = std::exchange(value, next);
    }
    return value * std::exp(-w * x * x);
}

/// Q_tuv: F_0(|x|^2/2) is the integral of exp(-s^2 |x|^2 / 2) over s from 0 to 1. Where s |x| is 14
/// the integrand is below 1e-30.
double plain_hermite(int t, int u, int v, Vec3 x) {
    return integral(std::min(1.0, 14 / norm(x)), [&](double s) {
        const double w = s * s / 2;
        return fading(t, w, x.x) * fading(u, w, x.y) * fading(v, w, x.z);
    });
}

double plain_potential(const PotentialProblem& problem, Vec3 at) {
    double sum = 0;
    for (const PointCharge& charge : problem.charges)
        sum += charge.charge / norm(at - charge.center);
    for (const HermiteProduct& product : problem.products) {
        const Vec3 x = std::sqrt(2 * product.exponent) * (at - product.center);
        const double* coefficient = problem.coefficients.data() + product.first;
        for (int degree = 0; degree <= product.degree; ++degree)
            for (int t = degree; t >= 0; --t)
                for (int u = degree - t; u >= 0; --u)
                    sum += *coefficient++ * plain_hermite(t, u, degree - t - u, x);
    }
    return sum;
}

/// Random coefficients that add about one each to the potential, whatever the degree.
void add_product(PotentialProblem& problem, HermiteProduct product, std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    product.first = problem.coefficients.size();
    problem.products.push_back(product);
    for (int degree = 0; degree <= product.degree; ++degree)
        for (int i = degree == 0 ? 0 : hermite_count(degree - 1); i < hermite_count(degree); ++i)
            problem.coefficients.push_back(uniform(random) / std::tgamma(0.5 * degree + 1));
}

PotentialProblem all_degrees(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-2, 2), exponent(-3, 4);
    PotentialProblem problem;
    problem.charges = {{{0.3, 0.2, -0.1}, 8}, {{-1, 0.5, 2}, -1.5}};
    for (int degree = 0; degree <= highest_hermite; ++degree)
        for (int k = 0; k < 2; ++k)
            add_product(problem,
                        {{place(random), place(random), place(random)},
                         std::exp(exponent(random)),
                         degree,
                         0},
                        random);
    return problem;
}

/// Inside products, outside, and where the far form of the Boys function begins.
std::vector<Vec3> some_points(int count) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1), length(-2, 2);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i)
        points.push_back(std::pow(10, length(random)) *
                         Vec3{uniform(random), uniform(random), uniform(random)});
    return points;
}

TEST_P(PotentialOn, AllDegreesAreTheirIntegrals) {
    const auto evaluator = make_potential_evaluator(GetParam());
    const std::vector<Vec3> points = some_points(60);
    const PotentialProblem problem = all_degrees(1);
    evaluator->load(problem);
    const std::vector<double> found = evaluator->evaluate(points);
    ASSERT_EQ(found.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double expected = plain_potential(problem, points[i]);
        EXPECT_NEAR(found[i], expected, 1e-12 * std::max(1.0, std::abs(expected))) << i;
    }
}

/// Each degree alone, on a line that crosses the ends of the table of the Boys function.
TEST_P(PotentialOn, TheFarFormOfTheBoysFunctionContinuesTheTable) {
    const auto evaluator = make_potential_evaluator(GetParam());
    std::mt19937 random(7);
    for (int degree = 0; degree <= highest_hermite; ++degree) {
        PotentialProblem problem;
        add_product(problem, {{0, 0, 0}, 0.5, degree, 0}, random);
        evaluator->load(problem);
        std::vector<Vec3> points;
        const double edge = std::sqrt(2 * (36.0 + 3 * degree));
        for (int i = -8; i <= 8; ++i) points.push_back((edge + 1e-3 * i) * Vec3{0.48, 0.6, 0.64});
        const std::vector<double> found = evaluator->evaluate(points);
        for (std::size_t i = 0; i < points.size(); ++i)
            EXPECT_NEAR(found[i], plain_potential(problem, points[i]), 1e-13)
                << "degree " << degree << ", point " << i;
    }
}

/// A charge of exponent p and height 1 holds (pi/p)^(3/2) and has the potential q erf(sqrt(p) r)/r.
TEST_P(PotentialOn, SphericalGaussiansHaveTheTextbookPotential) {
    const auto evaluator = make_potential_evaluator(GetParam());
    const double p = 0.8, pi = std::numbers::pi;
    PotentialProblem problem;
    problem.products = {{{0.1, 0.2, 0.3}, p, 0, 0}};
    problem.coefficients = {2 * pi / p};
    evaluator->load(problem);
    std::vector<Vec3> points{{0.1, 0.2, 0.3}};
    for (int i = 1; i < 40; ++i) points.push_back({0.1 + 0.37 * i, 0.2, 0.3});
    const std::vector<double> found = evaluator->evaluate(points);
    EXPECT_NEAR(found[0], 2 * pi / p, 1e-14);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double r = points[i].x - 0.1;
        EXPECT_NEAR(found[i], std::pow(pi / p, 1.5) * std::erf(std::sqrt(p) * r) / r, 3e-15);
    }
}

TEST_P(PotentialOn, APointHasTheSameBitsAlone) {
    const auto evaluator = make_potential_evaluator(GetParam());
    evaluator->load(all_degrees(2));
    const std::vector<Vec3> points = some_points(4110);
    const auto all = evaluator->evaluate(points);
    for (const std::size_t i : {0u, 13u, 4095u, 4096u, 4109u})
        EXPECT_EQ(evaluator->evaluate(std::span(points).subspan(i, 1))[0], all[i]);
}

/// More products of one degree than a chunk holds.
TEST_P(PotentialOn, ChunksOfProductsAddUp) {
    const auto evaluator = make_potential_evaluator(GetParam());
    PotentialProblem problem;
    std::mt19937 random(11);
    std::uniform_real_distribution<double> place(-3, 3);
    for (const int degree : {0, 2})
        for (int k = 0; k < 300; ++k)
            add_product(problem, {{place(random), place(random), 0.5}, 1.5, degree, 0}, random);
    evaluator->load(problem);
    const std::vector<Vec3> points = some_points(3);
    const auto found = evaluator->evaluate(points);
    for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_NEAR(found[i], plain_potential(problem, points[i]), 1e-11);
}

TEST_P(PotentialOn, AtAChargeThePotentialEnds) {
    const auto evaluator = make_potential_evaluator(GetParam());
    PotentialProblem problem;
    problem.charges = {{{1, 2, 3}, 6}};
    evaluator->load(problem);
    const std::vector<Vec3> points{{1, 2, 3}, {1, 2, 3 + 1e-9}, {1, 2, 5}};
    const auto found = evaluator->evaluate(points);
    EXPECT_EQ(found[0], 6 / nearest_charge);
    EXPECT_EQ(found[1], 6 / nearest_charge);
    EXPECT_EQ(found[2], 3);
    EXPECT_TRUE(evaluator->evaluate({}).empty());
}

TEST_P(PotentialOn, ProductsThatTheKernelsCannotEvaluateAreRefused) {
    const auto evaluator = make_potential_evaluator(GetParam());
    PotentialProblem problem = all_degrees(4);
    problem.products[3].exponent = -1;
    EXPECT_THROW(evaluator->load(problem), Error);
    problem = all_degrees(4);
    std::swap(problem.products.front(), problem.products.back());
    EXPECT_THROW(evaluator->load(problem), Error);
    problem = all_degrees(4);
    problem.coefficients[0] = std::numeric_limits<double>::infinity();
    evaluator->load(problem);
    EXPECT_THROW(evaluator->evaluate(some_points(1)), TileFailure);
}

}  // namespace
}  // namespace tessera::kernels
