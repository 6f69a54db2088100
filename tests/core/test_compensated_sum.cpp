#include "core/compensated_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/ordered_sum.hpp"

namespace {

using tessera::CompensatedSum;
using tessera::TilePartial;

TEST(CompensatedSum, KeepsWhatPlainSummationLoses) {
    // Neumaier's own example: plain summation and Kahan's give 0.
    CompensatedSum<double> sum;
    for (const double term : {1.0, 1e100, 1.0, -1e100}) sum.add(term);
    EXPECT_EQ(sum.result(), 2.0);
}

TEST(CompensatedSum, SinglePrecisionToo) {
    CompensatedSum<float> sum;
    float plain = 0;
    for (int i = 0; i < 10000; ++i) {
        sum.add(0.1f);
        plain += 0.1f;
    }
    const double exact = 1e4 * static_cast<double>(0.1f);
    EXPECT_NEAR(sum.result(), exact, 0.00013);  // two ulp of 1e3
    EXPECT_GT(std::abs(plain - exact), 0.05);
}

TEST(CompensatedSum, PartialSumsMerge) {
    CompensatedSum<double> left, right;
    left.add(1e16);
    left.add(1.0);
    right.add(-1e16);
    right.add(1.0);
    left.add(right);
    EXPECT_EQ(left.result(), 2.0);
}

TEST(CompensatedSum, SumsOfNegativesMirrorSumsOfPositives) {
    CompensatedSum<double> plus, minus;
    for (int i = 1; i < 1000; ++i) {
        plus.add(1.0 / i);
        minus.add(-1.0 / i);
    }
    EXPECT_EQ(plus.value, -minus.value);
    EXPECT_EQ(plus.compensation, -minus.compensation);
}

TEST(OrderedSum, AddsRecordsInTheOrderOfThePartials) {
    const std::vector<TilePartial<double>> partials{
        {{0}, {1e100, 1.0}}, {{1}, {}}, {{2}, {-1e100}}};
    const auto sum = tessera::ordered_sum(partials, [](double term) { return term; });
    EXPECT_EQ(sum.result(), 1.0);
    EXPECT_EQ(tessera::ordered_sum(partials, [](double) { return 1.0; }).result(), 3.0);
}

}  // namespace
