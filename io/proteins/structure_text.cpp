#include "io/proteins/structure_text.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "io/text/text_file.hpp"

namespace tessera::io {
namespace {

/// The limit: a PDB file of 10^7 atoms has 0.8 GB.
constexpr InputKind structure_file{"structure", "give a PDB or mmCIF file", std::size_t{2} << 30,
                                   "give a structure, not a trajectory"};

void refuse_other_formats(const TextSource& source) {
    const NamedInput name{source.path, structure_file};
    const std::string_view head = std::string_view(source.text).substr(0, 1 << 16);
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 32 && !std::strchr("\t\n\v\f\r", c);
    };
    if (std::ranges::count_if(head, is_control) * 100 > std::ssize(head))
        name.refuse("it is binary, not text", structure_file.wanted);
    const char first = source.text[source.text.find_first_not_of(" \t\r\n")];
    if (first == '<') name.refuse("it is XML or a web page", structure_file.wanted);
    if (first == '{') name.refuse("it is JSON", structure_file.wanted);
}

// "\r\n" and a lone "\r" become "\n".
void make_line_ends_plain(std::string& text) {
    std::size_t out = 0;
    for (std::size_t in = 0; in < text.size(); ++in) {
        if (text[in] == '\r' && in + 1 < text.size() && text[in + 1] == '\n') continue;
        text[out++] = text[in] == '\r' ? '\n' : text[in];
    }
    text.resize(out);
}

}  // namespace

TextSource read_structure_text(const std::string& path) {
    TextSource source = read_text_file(path, structure_file);
    refuse_other_formats(source);
    make_line_ends_plain(source.text);
    return source;
}

}  // namespace tessera::io
