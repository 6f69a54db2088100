#include "io/text/near_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

std::string near_name(const std::string& word, const std::vector<std::string>& names) {
    constexpr std::size_t longest = 64;
    if (names.empty() || word.size() > longest) return {};
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string_view found = nearest_word(word, known);
    const std::size_t most = word.size() > 5 ? 2 : 1;  // two edits turn a short word into any other
    if (edit_distance(word, found) <= most) return std::string(found);
    const auto begins = [&](const std::string& name) { return name.starts_with(word); };
    return std::ranges::count_if(names, begins) == 1 ? *std::ranges::find_if(names, begins)
                                                     : std::string();
}

void refuse_name(const std::string& kind, const std::string& word,
                 const std::vector<std::string>& names) {
    const std::string meant = near_name(word, names);
    throw Error(fmt::format("unknown {} '{}'", kind, one_line(word, 60)),
                meant.empty() ? "it is neither a built-in name nor a file"
                              : "did you mean " + meant + "?",
                fmt::format("use {}, or a file of your own", fmt::join(names, ", ")));
}

void require_name_or_file(const std::string& kind, const std::string& word,
                          const std::vector<std::string>& names) {
    std::error_code ignored;
    if (std::ranges::find(names, word) == names.end() && !std::filesystem::exists(word, ignored))
        refuse_name(kind, word, names);
}

}  // namespace tessera::io
