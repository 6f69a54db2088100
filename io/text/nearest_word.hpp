// Finds the known word that a mistyped word most likely means.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::io {

/// The number of edits (insert, remove or replace a character) that turn one word into the other.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

/// The nearest of `known`, which must not be empty. The first one wins ties.
inline std::string_view nearest_word(std::string_view word,
                                     std::span<const std::string_view> known) {
    return *std::ranges::min_element(known, {}, [&](std::string_view candidate) {
        return edit_distance(word.substr(0, 64), candidate);
    });
}

}  // namespace tessera::io
