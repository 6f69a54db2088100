// Numbers as text that a page can hold.
#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <vector>

namespace tessera::app {

/// The base64 text (RFC 4648) of the bytes of the values, little-endian.
template <class T>
std::string base64(const std::vector<T>& values) {
    static_assert(std::endian::native == std::endian::little);
    constexpr const char* digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    const std::size_t count = values.size() * sizeof(T);
    std::string text;
    text.reserve((count + 2) / 3 * 4);
    for (std::size_t i = 0; i < count; i += 3) {
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (i + k < count ? bytes[i + k] : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

}  // namespace tessera::app
