#include "io/hdf5/grid_rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/error.hpp"
#include "io/hdf5/grid_pack.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace tessera;
using namespace tessera::io;

template <class Real>
class Rounding : public testing::Test {
  protected:
    /// Numbers of all sizes, and those at the ends of the type.
    static std::vector<Real> numbers() {
        using Limits = std::numeric_limits<Real>;
        std::vector<Real> values{0,
                                 -Real(0),
                                 Limits::max(),
                                 Limits::lowest(),
                                 Limits::min(),
                                 Limits::denorm_min(),
                                 -Limits::denorm_min(),
                                 Limits::epsilon(),
                                 1,
                                 -1};
        std::mt19937 random(7);
        std::uniform_real_distribution<double> mantissa(-1, 1);
        std::uniform_int_distribution<int> exponent(-40, 40);
        for (int i = 0; i < 20000; ++i)
            values.push_back(static_cast<Real>(std::ldexp(mantissa(random), exponent(random))));
        return values;
    }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Rounding, Reals);

TYPED_TEST(Rounding, NoValueMovesFartherThanAllowed) {
    for (const double error : {1.0, 0.75, 1e-2, 1e-5, std::ldexp(1.0, -17), 3e-8, 1e-30, 1e-310,
                               std::numeric_limits<double>::denorm_min()}) {
        const auto exact = this->numbers();
        auto rounded = exact;
        round_within(std::span(rounded), error, "/values");
        for (std::size_t i = 0; i < exact.size(); ++i) {
            // The difference of two neighbours in the type is exact in extended precision.
            const long double moved =
                static_cast<long double>(rounded[i]) - static_cast<long double>(exact[i]);
            ASSERT_LE(std::abs(moved), static_cast<long double>(error))
                << exact[i] << " within " << error;
            ASSERT_FALSE(rounded[i] == 0 && std::signbit(rounded[i])) << exact[i];
        }
        auto again = rounded;
        round_within(std::span(again), error, "/values");
        EXPECT_EQ(again, rounded);
    }
}

TYPED_TEST(Rounding, ATinyErrorKeepsEveryBit) {
    auto exact = this->numbers();
    std::erase_if(exact, [](TypeParam value) {  // they have no more digits than the error
        return value != 0 && std::abs(value) < std::numeric_limits<TypeParam>::min();
    });
    auto rounded = exact;
    round_within(std::span(rounded), std::numeric_limits<double>::denorm_min(), "/values");
    EXPECT_EQ(rounded, exact);
}

TYPED_TEST(Rounding, FewValuesAreLeft) {
    std::vector<TypeParam> values;
    for (int i = 0; i < 1000; ++i) values.push_back(static_cast<TypeParam>(i / 1000.0));
    round_within(std::span(values), 0.1, "/values");  // steps of 1/8
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    EXPECT_EQ(values.size(), 9u);
    EXPECT_EQ(values[3], TypeParam(0.375));
}

TYPED_TEST(Rounding, OnlyFiniteValues) {
    using Limits = std::numeric_limits<TypeParam>;
    for (const TypeParam bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
        std::vector<TypeParam> values{1, bad};
        EXPECT_THROW(round_within(std::span(values), 1e-3, "/values"), Error);
    }
}

/// A block that is packed with rounding holds the rounded values, and its file says how far.
TEST(RoundedGrids, AreWhatTheFileHolds) {
    const test::TemporaryFolder folder;
    GridSpec spec;
    spec.name = "/density/values";
    spec.leading = {1};
    spec.shape = {40, 30, 10};
    spec.chunk_planes = 4;
    spec.deflate = 6;
    spec.largest_error = 1e-4;
    std::vector<float> values;
    for (int i = 0; i < 40 * 30 * 10; ++i) values.push_back(std::sin(0.01f * float(i)));
    std::vector<std::byte> packed;
    pack_blocks({spec}, {{0, 0, 1, 0, 10}}, std::as_bytes(std::span(values)).data(), 1, packed);
    h5::File file = h5::File::create(folder / "run.h5");
    create_grid(file.root(), spec);
    EXPECT_EQ(write_packed(file.root(), {spec}, packed), 3);
    note_rounding(file.root(), spec.name, spec.largest_error);
    file.close();
    const h5::File read = h5::File::open(folder / "run.h5");
    const auto dataset = read.root().open_dataset("density/values");
    round_within(std::span(values), 1e-4, "");
    EXPECT_EQ(dataset.read<float>().values, values);
    EXPECT_EQ(dataset.read_attribute<double>("largest_error"), 1e-4);
    const auto ratio = dataset.read_attribute<double>("compression_ratio");
    EXPECT_GT(ratio, 2);
    EXPECT_DOUBLE_EQ(ratio, compression_ratio(dataset));
    values[77] = std::numeric_limits<float>::infinity();
    for (const int threads : {1, 3})
        EXPECT_THROW(pack_blocks({spec}, {{0, 0, 1, 0, 10}},
                                 std::as_bytes(std::span(values)).data(), threads, packed),
                     Error);
}

/// Two datasets with several grids each, cut into blocks in different ways.
TEST(RoundedGrids, HaveTheSameBytesOnAnyNumberOfThreads) {
    GridSpec deflated;
    deflated.name = "/orbitals/values";
    deflated.leading = {3};
    deflated.shape = {20, 16, 14};
    deflated.chunk_planes = 4;
    deflated.deflate = 6;
    deflated.largest_error = 1e-4;
    GridSpec other = deflated;
    other.name = "/density/values";
    other.leading = {1};
    other.double_precision = true;
    other.zfp = has_zfp();
    const std::vector<GridSpec> specs{deflated, other};
    std::vector<double> values(static_cast<std::size_t>(3 * 20 * 16 * 14));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.01 * double(i));
    std::vector<float> singles(values.begin(), values.end());
    const auto first = std::as_bytes(std::span(singles)), second = std::as_bytes(std::span(values));
    std::vector<std::byte> both(first.begin(), first.end());
    both.insert(both.end(), second.begin(), second.begin() + second.size() / 3);
    const GridBlock of_first{0, 0, 3, 0, 14}, of_second{1, 0, 1, 0, 14};
    std::vector<std::byte> one_by_one;
    pack_blocks(specs, {of_first}, both.data(), 1, one_by_one);
    pack_blocks(specs, {of_second}, both.data() + first.size(), 1, one_by_one);
    for (const int threads : {1, 2, 5, 40}) {
        std::vector<std::byte> packed;
        pack_blocks(specs, {of_first, of_second}, both.data(), threads, packed);
        EXPECT_EQ(packed, one_by_one) << threads;
    }
    EXPECT_LT(one_by_one.size(), both.size() / 2);
}

}  // namespace
