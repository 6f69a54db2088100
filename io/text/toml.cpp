#include "io/text/toml.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "io/text/toml_depth.hpp"

namespace tessera::io {

namespace {

std::string in_ascii(std::string text) {
    const std::size_t mark =
        text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // some editors write this mark
    for (std::size_t i = mark; i < text.size(); ++i)
        if (static_cast<unsigned char>(text[i]) >= 0x80) text[i] = '?';
    return text;
}

}  // namespace

toml::table parse_toml(const TextSource& source, const std::string& what_to_do) {
    if (const int line = line_too_deep(source.text))
        throw Error(fmt::format("cannot read {} '{}:{}'", source.noun, source.path, line),
                    "as TOML: tables or lists are nested too deeply", what_to_do);
    try {
        return toml::parse(in_ascii(source.text), source.path);
    } catch (const toml::parse_error& error) {
        throw Error(fmt::format("cannot read {} '{}:{}'", source.noun, source.path,
                                error.source().begin.line),
                    "as TOML: " + one_line(error.description(), 160), what_to_do);
    }
}

}  // namespace tessera::io
