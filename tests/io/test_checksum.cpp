#include "io/journal/checksum.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace {

using tessera::io::Checksum;

std::vector<std::byte> some_bytes(std::size_t count) {
    std::vector<std::byte> bytes(count);
    std::uint32_t state = 12345;
    for (std::byte& byte : bytes) {
        state = state * 1664525 + 1013904223;
        byte = static_cast<std::byte>(state >> 24);
    }
    return bytes;
}

std::uint64_t sum_of(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
    Checksum sum(seed);
    sum.add(bytes);
    return sum.value();
}

TEST(Checksum, DoesNotDependOnHowTheBytesAreCut) {
    const auto bytes = some_bytes(1000);
    const std::uint64_t whole = sum_of(bytes);
    for (std::size_t step : {1, 3, 63, 64, 65, 128, 999}) {
        Checksum sum;
        for (std::size_t at = 0; at < bytes.size(); at += step)
            sum.add(std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
        EXPECT_EQ(sum.value(), whole) << step;
    }
}

TEST(Checksum, SeesEveryBitAndEveryLength) {
    auto bytes = some_bytes(300);
    std::set<std::uint64_t> sums{sum_of(bytes)};
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        const auto flip = static_cast<std::byte>(1 << bit % 8);
        bytes[bit / 8] ^= flip;
        sums.insert(sum_of(bytes));
        bytes[bit / 8] ^= flip;
    }
    EXPECT_EQ(sums.size(), 1 + 8 * bytes.size());
    sums.clear();
    const std::vector<std::byte> zeros(300);
    for (std::size_t length = 0; length <= zeros.size(); ++length)
        sums.insert(sum_of(std::span(zeros).first(length)));
    for (std::uint64_t seed = 1; seed < 100; ++seed) sums.insert(sum_of(zeros, seed));
    EXPECT_EQ(sums.size(), zeros.size() + 1 + 99);
}

}  // namespace
