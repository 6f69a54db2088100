// append_fixed against printf, which rounds the exact value.
#include "io/text/fixed_point.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

namespace {

using tessera::io::append_fixed;
using tessera::io::append_whole;

void expect_as_printf(double value, int decimals) {
    std::array<char, 400> expected;
    std::snprintf(expected.data(), expected.size(), "%.*f", decimals, value);
    std::string found = "x";
    append_fixed(found, value, decimals);
    EXPECT_EQ(found, std::string("x") + expected.data()) << value;
}

TEST(FixedPoint, RandomNumbersAreThoseOfPrintf) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-8, 7), sign(-1, 1);
    for (int i = 0; i < 20000; ++i)
        for (const int decimals : {0, 2, 3, 6})
            expect_as_printf(std::copysign(std::pow(10, exponent(random)), sign(random)), decimals);
}

TEST(FixedPoint, HalvesAndTheirNeighboursAreThoseOfPrintf) {
    for (int k = -3001; k <= 3001; k += 2)
        for (const int decimals : {2, 3}) {
            const double half = k / (2 * std::pow(10, decimals));
            for (const double value : {half, std::nextafter(half, 1e9), std::nextafter(half, -1e9),
                                       half + 1e-9, half - 1e-9})
                expect_as_printf(value, decimals);
        }
}

TEST(FixedPoint, ZerosLargeNumbersAndNoNumbersAreThoseOfPrintf) {
    for (const double value :
         {0.0, -0.0, 4e-4, -4e-4, 999999.9999, 1e6, -1e6, 0.125, 2.5, -99999.9995,
          std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min()})
        for (const int decimals : {0, 2, 3}) expect_as_printf(value, decimals);
    std::string text;
    append_fixed(text, std::numeric_limits<double>::infinity(), 3);
    EXPECT_EQ(text, "inf");
}

TEST(FixedPoint, WholeNumbers) {
    std::string text = "x";
    for (const long value : {0L, -1L, 99999L, std::numeric_limits<long>::min()}) {
        append_whole(text, value);
        text += ' ';
    }
    EXPECT_EQ(text, "x0 -1 99999 -9223372036854775808 ");
}

}  // namespace
