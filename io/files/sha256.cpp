#include "io/files/sha256.hpp"

#include <algorithm>
#include <bit>

namespace tessera::io {

namespace {

// FIPS 180-4, 4.2.2: fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void Sha256::compress(const char* block) {
    std::array<std::uint32_t, 64> w;
    const auto byte = [block](std::size_t i) -> std::uint32_t {
        return static_cast<unsigned char>(block[i]);
    };
    for (std::size_t t = 0; t < 16; ++t)
        w[t] = byte(4 * t) << 24 | byte(4 * t + 1) << 16 | byte(4 * t + 2) << 8 | byte(4 * t + 3);
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t a = w[t - 2], b = w[t - 15];
        w[t] = (std::rotr(a, 17) ^ std::rotr(a, 19) ^ (a >> 10)) + w[t - 7] +
               (std::rotr(b, 7) ^ std::rotr(b, 18) ^ (b >> 3)) + w[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                    ((e & f) ^ (~e & g)) + round_constants[t] + w[t];
        const std::uint32_t second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const std::array<std::uint32_t, 8> working{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += working[i];
}

void Sha256::add(std::string_view bytes) {
    const std::size_t held = length_ % block_.size();
    length_ += bytes.size();
    if (held > 0) {
        const std::size_t count = std::min(block_.size() - held, bytes.size());
        std::copy_n(bytes.data(), count, block_.data() + held);
        if (held + count < block_.size()) return;
        compress(block_.data());
        bytes.remove_prefix(count);
    }
    for (; bytes.size() >= block_.size(); bytes.remove_prefix(block_.size()))
        compress(bytes.data());
    std::copy(bytes.begin(), bytes.end(), block_.begin());
}

std::string Sha256::hex() {
    const std::uint64_t bits = length_ * 8;
    std::string padding(1, '\x80');
    padding.append((119 - length_ % 64) % 64, '\0');
    for (int shift = 56; shift >= 0; shift -= 8)
        padding += static_cast<char>(static_cast<unsigned char>(bits >> shift));
    add(padding);
    std::string text;
    for (const std::uint32_t word : state_)
        for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
    return text;
}

std::string sha256_of(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.hex();
}

}  // namespace tessera::io
