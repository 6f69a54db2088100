#include "io/wavefunctions/molden_sections.hpp"

#include <algorithm>
#include <cctype>

namespace tessera::io {

std::string molden_name(std::string_view text) {
    std::string name;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

std::vector<MoldenSection> find_molden_sections(const TextSource& source) {
    const std::string_view text = source.text;
    std::vector<MoldenSection> sections;
    const auto end_body = [&](std::size_t end) {
        if (sections.empty()) return;
        std::string_view& body = sections.back().body;
        body = body.substr(0, end - static_cast<std::size_t>(body.data() - text.data()));
    };
    for (std::size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
        std::size_t start = at;
        while (start > 0 && (text[start - 1] == ' ' || text[start - 1] == '\t')) --start;
        if (start > 0 && text[start - 1] != '\n') continue;
        const std::size_t line_end = std::min(text.find('\n', at), text.size());
        const std::size_t close =
            at + std::min(text.substr(at, line_end - at).find(']'), line_end - at);
        if (close == line_end) continue;
        end_body(start);
        sections.push_back({molden_name(text.substr(at + 1, close - at - 1)),
                            text.substr(close + 1, line_end - close - 1), text.substr(line_end)});
    }
    return sections;
}

std::vector<std::size_t> molden_frame_starts(const std::vector<MoldenSection>& sections) {
    std::vector<std::size_t> starts;
    bool has_atoms = false;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const bool head = sections[i].name == "moldenformat";
        const bool atoms = sections[i].name == "atoms";
        if (starts.empty() || ((head || atoms) && has_atoms)) {
            starts.push_back(i);
            has_atoms = false;
        }
        has_atoms |= atoms;
    }
    starts.push_back(sections.size());
    return starts;
}

void SphericalTags::read(std::string_view name) {
    static constexpr std::array<std::string_view, 8> tags{"5d", "6d",  "7f",  "10f",
                                                          "9g", "15g", "11h", "21h"};
    while (!name.empty()) {
        std::size_t which = 0;
        while (which < tags.size() && !name.starts_with(tags[which])) ++which;
        if (which == tags.size()) return;
        given_[2 + which / 2] = which % 2 == 0;
        name.remove_prefix(tags[which].size());
    }
}

void SphericalTags::settle() {
    if (!given_[3]) given_[3] = given_[2].value_or(false);
}

}  // namespace tessera::io
