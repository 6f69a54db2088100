// Numbers as Parquet and Thrift store them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tessera::io::parquet {

/// Appends an unsigned number in groups of seven bits, the lowest group first.
inline void append_varint(std::string& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
}

/// Appends an unsigned number, the lowest byte first.
template <class Word>
void append_little_endian(std::string& bytes, Word word) {
    for (std::size_t i = 0; i < sizeof(Word); ++i) bytes += static_cast<char>(word >> 8 * i & 0xff);
}

}  // namespace tessera::io::parquet
