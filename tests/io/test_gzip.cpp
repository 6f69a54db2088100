#include "io/files/gzip.hpp"

#include <gtest/gtest.h>

#include <string>

#include "io/files/gunzip.hpp"

namespace {

using tessera::io::gzip;

TEST(Gzip, UnpacksToTheSameBytes) {
    constexpr tessera::io::InputKind kind{"file", "give another", 1 << 20, "give a smaller one"};
    const std::string path = "x.gz";
    std::string bytes;
    for (int i = 0; i < 100000; ++i) bytes += static_cast<char>(i * i % 251);
    for (const std::string& one : {std::string(), std::string("a"), bytes})
        EXPECT_EQ(tessera::io::gunzip(gzip(one), {path, kind}, [](std::string_view) {}), one);
}

TEST(Gzip, HoldsNeitherNameNorTime) {
    using namespace std::string_literals;
    EXPECT_EQ(gzip("abc").substr(0, 8), "\x1f\x8b\x08\0\0\0\0\0"s);
}

}  // namespace
