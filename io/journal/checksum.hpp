// A checksum at the speed of memory, to detect bytes that were torn, lost or damaged on a disk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::io {

/// 64 bits over all added bytes; the division into calls does not matter. Every change within one
/// 32-bit word is detected. Other damage goes undetected with negligible probability. It does not
/// protect against intent: see Sha256.
class Checksum {
  public:
    explicit Checksum(std::uint64_t seed = 0);
    void add(std::span<const std::byte> bytes);
    std::uint64_t value() const;

  private:
    static constexpr std::size_t block_bytes = 64;
    void mix(const std::byte* blocks, std::size_t count);

    std::array<std::uint32_t, block_bytes / 4> lanes_;  ///< each lane processes every 16th word
    std::array<std::byte, block_bytes> rest_{};
    std::uint64_t length_ = 0;  ///< bytes added so far
};

}  // namespace tessera::io
