// A short text of fixed size. Records that hold it can be sent as bytes and stored in HDF5
// compounds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace tessera {

/// UTF-8, zero padded, at most Size - 1 bytes. Longer text is cut between characters.
template <std::size_t Size>
struct FixedString {
    char text[Size] = {};

    FixedString() = default;
    FixedString(std::string_view source) {  // NOLINT: implicit on purpose
        std::size_t length = std::min(source.size(), Size - 1);
        const auto continues = [&](std::size_t i) {
            return i < source.size() && (static_cast<unsigned char>(source[i]) & 0xC0) == 0x80;
        };
        while (length > 0 && continues(length)) --length;
        std::memcpy(text, source.data(), length);
    }
    FixedString(const std::string& source) : FixedString(std::string_view(source)) {}
    FixedString(const char* source) : FixedString(std::string_view(source)) {}

    std::string str() const { return std::string(text, strnlen(text, Size)); }
    friend bool operator==(const FixedString& a, const FixedString& b) {
        return a.str() == b.str();
    }
};

}  // namespace tessera
