#include "io/journal/checksum.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::io {

namespace {

constexpr std::uint32_t lane_factor = 0x9e3779b1;
constexpr std::uint64_t fold_factor = 0x9e3779b97f4a7c15;

/// This function is bijective in each argument.
constexpr std::uint64_t folded(std::uint64_t sum, std::uint64_t word) {
    sum = (sum ^ word) * fold_factor;
    return sum ^ (sum >> 32);
}

}  // namespace

Checksum::Checksum(std::uint64_t seed) {
    for (std::size_t i = 0; i < lanes_.size(); ++i)
        lanes_[i] = static_cast<std::uint32_t>(folded(seed, i + 1) >> 16);
}

void Checksum::mix(const std::byte* blocks, std::size_t count) {
    // The copy stays in vector registers. The compiler vectorises the loop over lanes.
    auto lanes = lanes_;
    for (std::size_t b = 0; b < count; ++b) {
        std::array<std::uint32_t, block_bytes / 4> words;
        std::memcpy(words.data(), blocks + b * block_bytes, block_bytes);
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            const std::uint32_t product = (lanes[i] ^ words[i]) * lane_factor;
            lanes[i] = product ^ (product >> 15);
        }
    }
    lanes_ = lanes;
}

void Checksum::add(std::span<const std::byte> bytes) {
    const std::size_t held = length_ % block_bytes;
    length_ += bytes.size();
    if (held > 0) {
        const std::size_t taken = std::min(bytes.size(), block_bytes - held);
        std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(taken);
        if (held + taken < block_bytes) return;
        mix(rest_.data(), 1);
    }
    const std::size_t whole = bytes.size() / block_bytes;
    mix(bytes.data(), whole);
    std::ranges::copy(bytes.subspan(whole * block_bytes), rest_.begin());
}

std::uint64_t Checksum::value() const {
    Checksum end = *this;
    const std::size_t held = length_ % block_bytes;
    if (held > 0) {
        std::fill(end.rest_.begin() + static_cast<std::ptrdiff_t>(held), end.rest_.end(),
                  std::byte{0});
        end.mix(end.rest_.data(), 1);
    }
    std::uint64_t sum = folded(0, length_);
    for (const std::uint32_t lane : end.lanes_) sum = folded(sum, lane);
    return sum;
}

}  // namespace tessera::io
