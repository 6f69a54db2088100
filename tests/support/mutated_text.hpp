// Random damage to a text, for readers that must never do worse than refuse.
#pragma once

#include <array>
#include <random>
#include <string>
#include <string_view>

namespace tessera::test {

/// One to four of: a byte replaced, a piece removed, doubled or moved, a cut, a hostile word put
/// in.
inline std::string mutated(std::string text, std::mt19937& random) {
    static constexpr std::array<std::string_view, 14> words{"nan",
                                                            "-1",
                                                            "0",
                                                            "1e999",
                                                            "99999999999999999999",
                                                            "[MO]",
                                                            "[5D]",
                                                            "[Atoms] Angs",
                                                            "\n",
                                                            "=",
                                                            "1.0D+400",
                                                            "inf",
                                                            std::string_view("\0", 1),
                                                            "2147483647"};
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    for (std::size_t left = 1 + below(4); left > 0; --left) {
        const std::size_t at = below(text.size());
        const std::size_t length = below(std::min<std::size_t>(40, text.size() - at));
        switch (below(6)) {
            case 0:
                text.replace(at, std::min<std::size_t>(1, text.size()), 1,
                             static_cast<char>(random() % 256));
                break;
            case 1: text.erase(at, length); break;
            case 2: text.insert(at, text.substr(at, length)); break;
            case 3: text.insert(below(text.size()), std::string(text, at, length)); break;
            case 4:
                if (below(8) == 0) text.resize(at);
                break;
            default: text.replace(at, length, words[below(words.size())]); break;
        }
    }
    return text;
}

}  // namespace tessera::test
