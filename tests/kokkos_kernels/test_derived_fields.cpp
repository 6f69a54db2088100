// Derived fields against plain sums of derivatives and against what is known of one Gaussian.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "backends.hpp"
#include "core/error.hpp"
#include "kokkos_kernels/orbitals/field_evaluator.hpp"
#include "kokkos_kernels/orbitals/primitive_table.hpp"
#include "plain_derivatives.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;
using F = DerivedField;

class FieldsOn : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, FieldsOn, ::testing::ValuesIn(backends), backend_name);

const std::vector<F> every_field{
    F::gradient_x, F::gradient_y, F::gradient_z,          F::gradient_norm,
    F::laplacian,  F::tau,        F::tau_laplacian,       F::elf,
    F::lol,        F::rdg,        F::sign_lambda2_density};

/// All degrees. Far from the groups the density of these orbitals does not vanish.
OrbitalProblem three_orbitals() {
    OrbitalProblem problem = random_orbitals(
        {.groups = 30, .orbitals = 3, .max_l = 5, .low_exponent = 0.1, .high_exponent = 5}, 17);
    problem.double_precision = true;
    problem.tolerance = 0;
    return problem;
}

/// [field][point] of a block.
std::vector<std::vector<double>> evaluate(FieldEvaluator& evaluator, const PointBlock& block,
                                          const std::vector<F>& fields) {
    std::vector<double> values(fields.size() * static_cast<std::size_t>(block.size()));
    evaluator.evaluate(block, fields, values.data());
    std::vector<std::vector<double>> found;
    for (std::size_t f = 0; f < fields.size(); ++f)
        found.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(f) * block.size(),
                           values.begin() + static_cast<std::ptrdiff_t>(f + 1) * block.size());
    return found;
}

Vec3 point_of(const OrbitalProblem& problem, const PointBlock& block, std::int64_t at) {
    const auto& n = block.shape;
    return problem.grid.point(block.begin[0] + at % n[0], block.begin[1] + at / n[0] % n[1],
                              block.begin[2] + at / (n[0] * n[1]));
}

/// What a value is compared with: a component of the gradient with the gradient.
double scale_of(F field, double value, const PlainDensity& alpha, const PlainDensity& beta) {
    if (field <= F::gradient_z) return plain_field(F::gradient_norm, alpha, beta);
    if (field == F::laplacian || field == F::tau_laplacian)  // differences of larger numbers
        return std::abs(value) + 4 * plain_field(F::tau, alpha, beta);
    return std::abs(value);
}

void compare(Backend backend, const std::vector<double>& alpha, const std::vector<double>& beta,
             const std::vector<F>& fields, const OrbitalProblem& problem = three_orbitals(),
             std::int64_t step = 997) {
    const auto evaluator = make_field_evaluator(backend);
    evaluator->load(problem, {alpha, beta});
    const auto found = evaluate(*evaluator, whole(problem), fields);
    std::vector<double> half;
    for (const double weight : alpha) half.push_back(weight / 2);
    for (std::int64_t at = 5; at < whole(problem).size(); at += step) {
        const Vec3 point = point_of(problem, whole(problem), at);
        const PlainDensity a = plain_density(problem, beta.empty() ? half : alpha, point);
        const PlainDensity b = plain_density(problem, beta.empty() ? half : beta, point);
        for (std::size_t f = 0; f < fields.size(); ++f) {
            const double value = plain_field(fields[f], a, b);
            EXPECT_NEAR(found[f][static_cast<std::size_t>(at)], value,
                        1e-10 * scale_of(fields[f], value, a, b))
                << "field " << static_cast<int>(fields[f]) << ", point " << at;
        }
    }
}

TEST_P(FieldsOn, ClosedShellsHaveThePlainFormulas) {
    compare(GetParam(), {2, 1.5, 2}, {}, every_field);
}

TEST_P(FieldsOn, SpinsAreToldApart) { compare(GetParam(), {1, 0, 1}, {0, 1, 1}, every_field); }

/// Their tables and their lists fill several pages.
TEST_P(FieldsOn, ManyGroupsHaveThePlainFormulas) {
    OrbitalProblem problem = random_orbitals(
        {.groups = 1100, .orbitals = 2, .max_l = 5, .low_exponent = 0.1, .high_exponent = 1}, 23);
    problem.double_precision = true;
    problem.tolerance = 0;
    problem.grid.shape = {19, 5, 3};
    compare(GetParam(), {1, 0.5}, {1, 0}, every_field, problem, 61);
}

TEST_P(FieldsOn, FewerDerivativesGiveTheSameFields) {
    compare(GetParam(), {1, 0, 1}, {0, 1, 1}, {F::elf, F::gradient_y, F::rdg});
    compare(GetParam(), {2, 2, 2}, {}, {F::laplacian, F::lol, F::tau_laplacian, F::gradient_norm});
}

/// psi = exp(-a r^2), twice occupied: everything is known.
TEST_P(FieldsOn, OneGaussianHasItsAnalyticFields) {
    constexpr double a = 0.7;
    OrbitalProblem problem;
    problem.groups = {{{0.1, -0.2, 0.3}, a, 0, 0}};
    problem.coefficients = {{1}};
    problem.grid = {{-1.5, -1.4, -1.6}, {0.31, 0.29, 0.33}, {11, 10, 9}};
    problem.double_precision = true;
    const std::vector<double> twice{2};
    const auto evaluator = make_field_evaluator(GetParam());
    evaluator->load(problem, {twice, {}});
    const auto found = evaluate(*evaluator, whole(problem), every_field);
    for (std::size_t i = 0; i < found[0].size(); ++i) {
        const Vec3 d =
            point_of(problem, whole(problem), static_cast<std::int64_t>(i)) - Vec3{0.1, -0.2, 0.3};
        const double square = dot(d, d), rho = 2 * std::exp(-2 * a * square);
        const double tau = 2 * a * a * square * rho;
        const double laplacian = (16 * a * a * square - 12 * a) * rho;
        const double closed = 0.3 * std::pow(3 * std::numbers::pi * std::numbers::pi, 2.0 / 3);
        const double uniform = closed * std::pow(rho, 5.0 / 3);
        const double known[] = {-4 * a * d.x * rho,
                                -4 * a * d.y * rho,
                                -4 * a * d.z * rho,
                                4 * a * std::sqrt(square) * rho,
                                laplacian,
                                tau,
                                tau - laplacian / 4,
                                1,
                                uniform / (uniform + tau),
                                4 * a * std::sqrt(square) /
                                    (2 * std::cbrt(3 * std::numbers::pi * std::numbers::pi * rho)),
                                -rho};
        for (std::size_t f = 0; f < every_field.size(); ++f)
            EXPECT_NEAR(found[f][i], known[f], 1e-13 * (1 + std::abs(known[f]))) << "field " << f;
    }
}

TEST_P(FieldsOn, PartsOfAGridHaveTheBitsOfTheWhole) {
    const OrbitalProblem problem = three_orbitals();
    const std::vector<double> alpha{1, 1, 0}, beta{1, 0, 1};
    const auto evaluator = make_field_evaluator(GetParam());
    evaluator->load(problem, {alpha, beta});
    const auto all = evaluate(*evaluator, whole(problem), every_field);
    const PointBlock block{{3, 9, 5}, {21, 11, 17}};
    const auto part = evaluate(*evaluator, block, every_field);
    const auto& n = problem.grid.shape;
    for (std::size_t f = 0; f < every_field.size(); ++f)
        for (std::int64_t at = 0; at < block.size(); ++at) {
            const std::int64_t x = block.begin[0] + at % block.shape[0],
                               y = block.begin[1] + at / block.shape[0] % block.shape[1],
                               z = block.begin[2] + at / (block.shape[0] * block.shape[1]);
            ASSERT_EQ(part[f][static_cast<std::size_t>(at)],
                      all[f][static_cast<std::size_t>((z * n[1] + y) * n[0] + x)])
                << "field " << f;
        }
}

TEST_P(FieldsOn, SingleValuesAreTheRoundedOnesAndSumsAreOfThePoints) {
    OrbitalProblem problem = three_orbitals();
    const std::vector<double> alpha{2, 2, 2};
    const auto evaluator = make_field_evaluator(GetParam());
    evaluator->load(problem, {alpha, {}});
    const std::vector<F> fields{F::tau, F::laplacian};
    const auto wide = evaluate(*evaluator, whole(problem), fields);
    problem.double_precision = false;
    evaluator->load(problem, {alpha, {}});
    const auto points = static_cast<std::size_t>(whole(problem).size());
    std::vector<float> rounded(2 * points);
    const auto sums = evaluator->evaluate(whole(problem), fields, rounded.data());
    for (std::size_t f = 0; f < 2; ++f) {
        double sum = 0;
        for (std::size_t i = 0; i < points; ++i) {
            ASSERT_EQ(rounded[f * points + i], static_cast<float>(wide[f][i]));
            sum += wide[f][i];
        }
        EXPECT_NEAR(sums[f].result(), sum, 1e-9 * std::abs(sum));
    }
}

/// The tolerance holds for psi and all its derivatives. With one orbital, tau is |grad psi|^2 / 2,
/// and the other kinetic energy density is -psi * Laplacian / 2.
TEST_P(FieldsOn, LeftOutGroupsStayBelowTheToleranceInAllDerivatives) {
    for (const unsigned seed : {1u, 2u, 3u}) {
        OrbitalProblem problem = random_orbitals({.groups = 150,
                                                  .orbitals = 1,
                                                  .max_l = 5,
                                                  .low_exponent = 0.5,
                                                  .high_exponent = 500,
                                                  .box = 12},
                                                 seed);
        problem.double_precision = true;
        problem.tolerance = 0.01;
        problem.derivatives = 2;
        const std::vector<double> once{1};
        const auto evaluator = make_field_evaluator(GetParam());
        evaluator->load(problem, {once, {}});
        const auto screened = evaluate(*evaluator, whole(problem), {F::tau, F::tau_laplacian});
        int changed = 0;
        for (std::int64_t at = 0; at < whole(problem).size(); at += 733) {
            const auto i = static_cast<std::size_t>(at);
            const Vec3 point = point_of(problem, whole(problem), at);
            const double slope = std::sqrt(2 * plain_density(problem, once, point).tau);
            const double error = std::abs(std::sqrt(2 * screened[0][i]) - slope);
            EXPECT_LE(error, std::sqrt(3.0) * problem.tolerance);
            changed += error > 1e-9 ? 1 : 0;
            const double psi = plain_sum(problem, 0, point);
            const double laplacian = plain_derivative(problem, 0, point, {2, 0, 0}) +
                                     plain_derivative(problem, 0, point, {0, 2, 0}) +
                                     plain_derivative(problem, 0, point, {0, 0, 2});
            const double t = problem.tolerance;
            EXPECT_LE(std::abs(screened[1][i] + psi * laplacian / 2),
                      (3 * t * std::abs(psi) + t * std::abs(laplacian) + 3 * t * t) / 2 + 1e-9);
        }
        EXPECT_GT(changed, 5) << "nothing was left out";
    }
}

/// The bound of a group holds for each of its derivatives alone, for h functions, too.
TEST(BoundsOfDerivatives, HoldAtRandomPoints) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int l = 0; l <= max_degree; ++l)
        for (int order = 1; order <= 2; ++order)
            for (int trial = 0; trial < 20; ++trial) {
                OrbitalProblem problem;
                problem.groups = {{{0, 0, 0}, std::pow(10, 2 * uniform(random)), l, 0}};
                problem.coefficients.resize(1);
                for (int m = 0; m < monomials(l); ++m)
                    problem.coefficients[0].push_back(uniform(random));
                problem.derivatives = order;
                const PrimitiveTable<double> table(problem);
                const GroupBounds bounds{table.centers.data(), table.bounds.data(), table.pitch};
                for (int i = 0; i < 200; ++i) {
                    const double far = 4 / std::sqrt(problem.groups[0].exponent);
                    const Vec3 at = far * Vec3{uniform(random), uniform(random), uniform(random)};
                    const double bound = bounds.beyond(0, dot(at, at));
                    for (int x = 0; x <= order; ++x)
                        for (int y = 0; x + y <= order; ++y)
                            for (int z = 0; x + y + z <= order; ++z)
                                ASSERT_LE(std::abs(plain_derivative(problem, 0, at, {x, y, z})),
                                          bound)
                                    << "l = " << l << ", order " << order;
                }
            }
}

TEST_P(FieldsOn, WhereThereIsNoDensityFieldsAreFinite) {
    OrbitalProblem problem;
    problem.groups = {{{0, 0, 0}, 1e6, 0, 0}};
    problem.coefficients = {{1}};
    problem.grid = {{3, 3, 3}, {1, 1, 1}, {4, 4, 4}};
    problem.double_precision = true;
    const std::vector<double> one{1}, none{0};
    const auto evaluator = make_field_evaluator(GetParam());
    evaluator->load(problem, {one, none});
    const auto found = evaluate(*evaluator, whole(problem), every_field);
    for (std::size_t f = 0; f < every_field.size(); ++f)
        for (const double value : found[f])
            EXPECT_EQ(value, every_field[f] == F::rdg ? largest_rdg : 0) << "field " << f;
}

TEST_P(FieldsOn, ValuesThatAreNotFiniteAreFailuresOfTheTile) {
    OrbitalProblem problem = three_orbitals();
    problem.coefficients[1][0] = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> alpha{2, 2, 2};
    const auto evaluator = make_field_evaluator(GetParam());
    evaluator->load(problem, {alpha, {}});
    EXPECT_THROW(evaluator->evaluate(whole(problem), every_field, nullptr), TileFailure);
}

TEST_P(FieldsOn, GroupsThatTheKernelsCannotEvaluateAreRefused) {
    OrbitalProblem problem = three_orbitals();
    problem.groups[3].l = 6;
    const std::vector<double> alpha{2, 2, 2};
    EXPECT_THROW(make_field_evaluator(GetParam())->load(problem, {alpha, {}}), Error);
}

}  // namespace
}  // namespace tessera::kernels
