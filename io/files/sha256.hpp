// SHA-256 (FIPS 180-4), to recognise an input again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::io {

class Sha256 {
  public:
    void add(std::string_view bytes);
    /// The digest of all added bytes, 64 lower-case hexadecimal digits. The object cannot be used
    /// afterwards.
    std::string hex();

  private:
    void compress(const char* block);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<char, 64> block_{};
    std::uint64_t length_ = 0;  ///< bytes added so far
};

std::string sha256_of(std::string_view bytes);

}  // namespace tessera::io
