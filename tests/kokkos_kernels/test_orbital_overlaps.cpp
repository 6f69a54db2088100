// Overlaps on a grid against plain sums over the values that evaluate() writes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "backends.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "random_orbitals.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;
using Sums = std::vector<CompensatedSum<double>>;

class OverlapsOn : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, OverlapsOn, ::testing::ValuesIn(backends), backend_name);

/// Points that are no multiple of a run's, and a last run of three.
const PointBlock block{{2, 3, 5}, {29, 13, 22}}, long_row{{0, 0, 0}, {4099, 1, 1}};

std::vector<int> counted(int first, int count) {
    std::vector<int> items(count);
    std::iota(items.begin(), items.end(), first);
    return items;
}

template <class Real>
void expect_sums_of_values(OrbitalEvaluator& evaluator, const PointBlock& points,
                           const std::vector<int>& rows, const std::vector<int>& columns) {
    const std::size_t part_of = rows.size();
    const auto values = [&](const std::vector<int>& orbitals) {
        std::vector<Real> found(orbitals.size() * points.size());
        evaluator.evaluate(points, orbitals, found.data(), part_of);
        return found;
    };
    const std::vector<Real> left = values(rows), right = values(columns);
    const auto sum = [&](const std::vector<Real>& a, std::size_t i, const std::vector<Real>& b,
                         std::size_t j) {
        CompensatedSum<double> all;
        for (std::int64_t p = 0; p < points.size(); ++p)
            all.add(static_cast<double>(a[i * points.size() + p]) * b[j * points.size() + p]);
        return all.result();
    };
    const Sums found = evaluator.overlaps(points, {rows, part_of}, {columns, part_of});
    ASSERT_EQ(found.size(), rows.size() * columns.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j) {
            const double size = std::sqrt(sum(left, i, left, i) * sum(right, j, right, j));
            EXPECT_NEAR(found[i * columns.size() + j].result(), sum(left, i, right, j),
                        1e-12 * size)
                << i << " " << j;
        }
}

TEST_P(OverlapsOn, AreSumsOfProductsOfValues) {
    const auto evaluator = make_orbital_evaluator(GetParam());
    for (const bool in_double : {false, true}) {
        OrbitalProblem problem =
            random_orbitals({.groups = 20, .orbitals = 52, .coefficient = 1e-2}, 5);
        problem.grid.shape[0] = 5000;
        problem.double_precision = in_double;
        evaluator->load(problem);
        const auto check = [&](const PointBlock& points, const std::vector<int>& rows,
                               const std::vector<int>& columns) {
            in_double ? expect_sums_of_values<double>(*evaluator, points, rows, columns)
                      : expect_sums_of_values<float>(*evaluator, points, rows, columns);
        };
        check(block, counted(0, 52), counted(0, 52));  // by products on devices
        check(block, counted(0, 35), counted(38, 3));
        check(block, {7}, {7});
        check(long_row, {3, 1}, {0, 3, 2});
    }
}

/// Single values of orbitals that are computed in double: as they are written, rounded.
TEST_P(OverlapsOn, OfRoundedOrbitalsAreThoseOfWhatIsWritten) {
    const auto evaluator = make_orbital_evaluator(GetParam());
    OrbitalProblem problem =
        random_orbitals({.groups = 20, .orbitals = 6, .coefficient = 1e-3}, 51);
    for (double& coefficient : problem.coefficients[1]) coefficient *= 1e6;
    evaluator->load(problem);
    ASSERT_TRUE(evaluator->computed_in_double(1));
    ASSERT_FALSE(evaluator->computed_in_double(2));
    expect_sums_of_values<float>(*evaluator, block, counted(0, 6), counted(0, 6));
}

TEST_P(OverlapsOn, HaveTheSameBitsInPartsAndTheOtherWayRound) {
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(random_orbitals({.groups = 20, .orbitals = 40, .coefficient = 1e-2}, 6));
    const auto all = counted(0, 40);
    const Sums whole = evaluator->overlaps(block, {all, 40}, {all, 40});
    for (int i = 0; i < 40; i += 10)
        for (int j = 0; j < 40; j += 8) {
            const auto rows = counted(i, 10), columns = counted(j, 8);
            const Sums part = evaluator->overlaps(block, {rows, 40}, {columns, 40});
            for (int r = 0; r < 10; ++r)
                for (int c = 0; c < 8; ++c)
                    EXPECT_EQ(
                        std::memcmp(&part[r * 8 + c], &whole[(i + r) * 40 + j + c], sizeof part[0]),
                        0)
                        << i + r << " " << j + c;
        }
}

}  // namespace
}  // namespace tessera::kernels
