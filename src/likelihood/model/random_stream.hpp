// Random numbers that depend on a seed and a purpose, not on the rank, the thread or the time.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>

namespace tessera::likelihood {

/// SplitMix64 (Steele, Lea & Flood 2014), started from a key. It gives the same numbers on every
/// machine, unlike the distributions of the standard library.
class RandomStream {
  public:
    /// Different keys, such as {seed, generation, individual}, give independent streams.
    explicit RandomStream(std::initializer_list<std::uint64_t> key) {
        for (const std::uint64_t part : key) state_ = mixed(state_ ^ mixed(part + step));
    }

    std::uint64_t bits() { return mixed(state_ += step); }
    /// A number in [0, 1), a multiple of 2^-53.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// An integer from 0 to count - 1. The bias is below count / 2^53.
    std::size_t index(std::size_t count) {
        return static_cast<std::size_t>(uniform() * static_cast<double>(count));
    }
    /// A standard normal number (Box & Muller 1958).
    double normal() {
        const double radius = std::sqrt(-2 * std::log1p(-uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

  private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    std::uint64_t state_ = 0;
};

}  // namespace tessera::likelihood
