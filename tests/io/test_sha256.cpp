#include "io/files/sha256.hpp"

#include <gtest/gtest.h>

namespace {

using tessera::io::sha256_of;

TEST(Sha256, ExamplesOfTheStandard) {
    // NIST, "Examples with Intermediate Values" for FIPS 180, and the empty message.
    EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256_of(std::string(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheSame) {
    std::string bytes;
    for (int i = 0; i < 200000; ++i) bytes += static_cast<char>(i * 7 % 256);
    tessera::io::Sha256 hash;
    for (std::size_t at = 0, size = 1; at < bytes.size(); at += size++)
        hash.add(std::string_view(bytes).substr(at, size));
    EXPECT_EQ(hash.hex(), sha256_of(bytes));
}

TEST(Sha256, LengthsAroundTheBlockDiffer) {
    // Padding at 55, 56, 63, 64 bytes takes different ways; values from coreutils' sha256sum.
    EXPECT_EQ(sha256_of(std::string(55, 'x')),
              "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
    EXPECT_EQ(sha256_of(std::string(56, 'x')),
              "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
    EXPECT_EQ(sha256_of(std::string(63, 'x')),
              "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2");
    EXPECT_EQ(sha256_of(std::string(64, 'x')),
              "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
}

}  // namespace
