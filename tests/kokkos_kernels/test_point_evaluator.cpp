// Values and gradients at points against the plain sum and its differences, and derived fields
// against plain sums of derivatives.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "backends.hpp"
#include "core/error.hpp"
#include "kokkos_kernels/orbitals/point_evaluator.hpp"
#include "plain_derivatives.hpp"
#include "random_orbitals.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;

class PointsOn : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, PointsOn, ::testing::ValuesIn(backends), backend_name);

using Points = std::vector<std::array<float, 3>>;

Points some_points(int count) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(-5, 5);
    Points points;
    for (int i = 0; i < count; ++i)
        points.push_back({uniform(random), uniform(random), uniform(random)});
    return points;
}

Vec3 place(const std::array<float, 3>& point) { return {point[0], point[1], point[2]}; }

double plain(const OrbitalProblem& problem, const PointSum& sum, Vec3 point) {
    double total = 0;
    for (std::size_t row = 0; row < sum.weights.size(); ++row) {
        const double psi = plain_sum(problem, static_cast<int>(row), point);
        total += sum.weights[row] * (sum.of_squares ? psi * psi : psi);
    }
    return total;
}

/// The error of a central difference falls with h^4 in Richardson's combination of h and 2 h.
double plain_slope(const OrbitalProblem& problem, const PointSum& sum, Vec3 at, Vec3 axis) {
    const auto central = [&](double h) {
        return (plain(problem, sum, at + h * axis) - plain(problem, sum, at - h * axis)) / (2 * h);
    };
    return (4 * central(1e-3) - central(2e-3)) / 3;
}

/// All degrees; more rows than a pass takes, and a number that fills no pass.
OrbitalProblem eleven_orbitals() {
    return random_orbitals(
        {.groups = 60, .orbitals = 11, .max_l = 5, .low_exponent = 0.1, .high_exponent = 5}, 41);
}

const std::vector<double> eleven_weights{2, 2, -0.5, 1, 0.25, 2, 1, -1, 0.75, 1.5, 2};

TEST_P(PointsOn, ValuesAndGradientsAreThoseOfThePlainSum) {
    const OrbitalProblem problem = eleven_orbitals();
    const Points points = some_points(40);
    const auto evaluator = make_point_evaluator(GetParam());
    for (const bool of_squares : {false, true}) {
        const PointSum sum{eleven_weights, of_squares};
        const auto found = evaluator->evaluate(problem, sum, points);
        ASSERT_EQ(found.size(), points.size());
        double largest = 0;
        for (const PointValue& one : found) largest = std::max(largest, std::abs(one.value));
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec3 at = place(points[i]);
            EXPECT_NEAR(found[i].value, plain(problem, sum, at), 1e-12 * largest);
            const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            for (std::size_t a = 0; a < 3; ++a)
                EXPECT_NEAR(found[i].gradient[a], plain_slope(problem, sum, at, axes[a]),
                            1e-8 * largest);
        }
    }
}

TEST_P(PointsOn, APointHasTheSameBitsAlone) {
    const OrbitalProblem problem = eleven_orbitals();
    const Points points = some_points(300);
    const auto evaluator = make_point_evaluator(GetParam());
    const PointSum sum{eleven_weights, true};
    const auto all = evaluator->evaluate(problem, sum, points);
    for (const std::size_t i : {0u, 137u, 299u}) {
        const auto alone = evaluator->evaluate(problem, sum, std::span(points).subspan(i, 1));
        EXPECT_EQ(alone[0].value, all[i].value);
        EXPECT_EQ(alone[0].gradient, all[i].gradient);
    }
}

/// An exponent whose function vanishes in double a little away from its centre.
TEST_P(PointsOn, FarPointsAreZeroAndNotUnderflow) {
    OrbitalProblem problem;
    problem.groups = {{{0, 0, 0}, 1e6, 1, 0}};
    problem.coefficients = {{1, 1, 1, 1}};
    const auto evaluator = make_point_evaluator(GetParam());
    const std::vector<double> weight{1};
    const Points points{{0, 0, 0}, {3, 0, 0}};
    const auto found = evaluator->evaluate(problem, {weight, false}, points);
    EXPECT_EQ(found[0].value, 1);
    EXPECT_EQ(found[0].gradient, (std::array<double, 3>{1, 1, 1}));
    EXPECT_EQ(found[1].value, 0);
    EXPECT_EQ(found[1].gradient, (std::array<double, 3>{0, 0, 0}));
}

TEST_P(PointsOn, NothingToAddUpGivesZeros) {
    const auto evaluator = make_point_evaluator(GetParam());
    EXPECT_TRUE(evaluator->evaluate(eleven_orbitals(), {eleven_weights, true}, {}).empty());
    const auto found = evaluator->evaluate(OrbitalProblem{}, {}, some_points(3));
    ASSERT_EQ(found.size(), 3u);
    for (const PointValue& one : found) EXPECT_EQ(one.value, 0);
}

const std::vector<DerivedField> every_field = [] {
    std::vector<DerivedField> fields;
    for (int f = 0; f < derived_fields; ++f) fields.push_back(static_cast<DerivedField>(f));
    return fields;
}();

void compare_fields(Backend backend, std::vector<double> alpha, const std::vector<double>& beta) {
    const OrbitalProblem problem = eleven_orbitals();
    const Points points = some_points(10);
    const auto found =
        make_point_evaluator(backend)->evaluate_fields(problem, {alpha, beta}, every_field, points);
    ASSERT_EQ(found.size(), every_field.size() * points.size());
    if (beta.empty())
        for (double& weight : alpha) weight /= 2;  // half of the electrons
    for (std::size_t i = 0; i < points.size(); ++i) {
        const PlainDensity a = plain_density(problem, alpha, place(points[i])),
                           b = plain_density(problem, beta.empty() ? alpha : beta,
                                             place(points[i]));
        const double slope = plain_field(DerivedField::gradient_norm, a, b),
                     curvature = plain_field(DerivedField::tau, a, b);
        for (std::size_t f = 0; f < every_field.size(); ++f) {
            const double value = plain_field(every_field[f], a, b);
            // Components of the gradient are small beside it, and Laplacians beside tau.
            const double scale = f < 3 ? slope : std::abs(value) + 4 * curvature;
            EXPECT_NEAR(found[f * points.size() + i], value, 1e-10 * scale) << "field " << f;
        }
    }
}

TEST_P(PointsOn, DerivedFieldsHaveThePlainFormulas) {
    compare_fields(GetParam(), {2, 1.5, 2, 0, 2, 1, 2, 2, 0.5, 2, 2}, {});
    compare_fields(GetParam(), {1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1},
                   {0, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1});
}

TEST_P(PointsOn, DerivedFieldsDependOnNothingElse) {
    const OrbitalProblem problem = eleven_orbitals();
    const Points points = some_points(300);
    const auto evaluator = make_point_evaluator(GetParam());
    const std::vector<double> twice(11, 2);
    const auto all = evaluator->evaluate_fields(problem, {twice, {}}, every_field, points);
    const DerivedField elf[] = {DerivedField::elf};
    const auto alone =
        evaluator->evaluate_fields(problem, {twice, {}}, elf, std::span(points).subspan(137, 1));
    EXPECT_EQ(alone[0], all[static_cast<std::size_t>(DerivedField::elf) * points.size() + 137]);
    EXPECT_TRUE(evaluator->evaluate_fields(problem, {twice, {}}, every_field, {}).empty());
    EXPECT_TRUE(evaluator->evaluate_fields(problem, {twice, {}}, {}, points).empty());
}

TEST_P(PointsOn, GroupsThatTheKernelsCannotEvaluateAreRefused) {
    OrbitalProblem problem = eleven_orbitals();
    problem.groups[3].exponent = -1;
    const auto evaluator = make_point_evaluator(GetParam());
    EXPECT_THROW(evaluator->evaluate(problem, {eleven_weights, true}, some_points(1)), Error);
}

}  // namespace
}  // namespace tessera::kernels
