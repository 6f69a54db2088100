#include "io/text/option_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"
#include "io/text/toml.hpp"

namespace tessera::io {

namespace {

constexpr InputKind option_file{"configuration file",
                                "give TOML with one line for each option, such as rotations = 600",
                                std::size_t{1} << 20, "give the options of one run"};

/// Whether TOML reads a text as a number that has the same value as on a command line.
bool is_plain_number(const std::string& text) {
    const std::size_t digits = text.starts_with('-') ? 1 : 0;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", digits), text.size());
    const std::size_t whole = end - digits;
    constexpr std::size_t most_digits = 18;  // of an integer of 64 bits
    if (whole == 0 || whole > most_digits || (whole > 1 && text[digits] == '0')) return false;
    if (end == text.size()) return true;
    if (text[end] != '.') return false;
    const std::size_t fraction = text.size() - end - 1;
    return fraction > 0 && whole + fraction <= 15 &&
           text.find_first_not_of("0123456789", end + 1) == std::string::npos;
}

/// UTF-8 beyond ASCII as escapes of TOML, which parse_toml() needs. Bytes that are no UTF-8 become
/// '?'.
std::string with_escapes(const std::string& text) {
    std::string ascii;
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i++]);
        if (byte < 0x80) {
            ascii += static_cast<char>(byte);
            continue;
        }
        const std::size_t more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC2 ? 1 : 0;
        std::uint32_t code = byte & (0x3Fu >> more);
        std::size_t taken = 0;
        for (; taken < more && i < text.size() && (text[i] & 0xC0) == 0x80; ++taken)
            code = code << 6 | (static_cast<unsigned char>(text[i++]) & 0x3Fu);
        const bool valid = more > 0 && taken == more && byte < 0xF5 && code < 0x110000 &&
                           (code < 0xD800 || code > 0xDFFF);
        ascii += valid ? fmt::format("\\U{:08X}", code) : "?";
    }
    return ascii;
}

std::string quoted(const std::string& text) {
    std::string line = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') line += '\\';
        line += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
    }
    return with_escapes(line) + '"';
}

std::string value_text(const std::string& value) {
    return is_plain_number(value) ? value : quoted(value);
}

/// The options of a parsed file.
class OptionReader {
  public:
    explicit OptionReader(const TextSource& source) : source_(source) {}

    FileOption read(const std::string& name, const toml::node& node) const {
        FileOption option;
        option.name = name;
        option.place =
            fmt::format("{}:{}", source_.path, std::max<std::size_t>(node.source().begin.line, 1));
        if (node.is_boolean()) {
            option.is_switch = true;
            option.on = node.value<bool>().value_or(false);
        } else if (const toml::array* list = node.as_array()) {
            for (const toml::node& one : *list) option.values.push_back(word(one, option));
        } else {
            option.values = {word(node, option)};
        }
        return option;
    }

  private:
    std::string word(const toml::node& node, const FileOption& option) const {
        if (node.is_string()) return node.value<std::string>().value_or("");
        if (node.is_integer()) return fmt::format("{}", node.value<std::int64_t>().value_or(0));
        if (node.is_floating_point()) return fmt::format("{}", node.value<double>().value_or(0));
        throw Error(fmt::format("cannot read {} '{}'", source_.noun, one_line(option.place)),
                    fmt::format("'{}' is not a text, a number, true, false or a list of them",
                                one_line(option.name, 40)),
                    "write it as on the command line, in quotes");
    }

    const TextSource& source_;
};

}  // namespace

TextSource read_option_text(const std::string& path) { return read_text_file(path, option_file); }

std::vector<FileOption> parse_option_file(const TextSource& source) {
    const toml::table table =
        parse_toml({source.path, with_escapes(source.text), source.noun}, "correct it");
    const OptionReader reader(source);
    std::vector<FileOption> options;
    for (const auto& [key, node] : table)
        options.push_back(reader.read(std::string(key.str()), node));
    std::ranges::stable_sort(options, {}, [&](const FileOption& option) {
        return table.get(option.name)->source().begin.line;
    });
    return options;
}

std::string option_line(const FileOption& option, bool is_list) {
    if (option.is_switch) return fmt::format("{} = {}\n", option.name, option.on);
    std::string text;
    for (const std::string& value : option.values)
        text += (text.empty() ? "" : ", ") + value_text(value);
    if (is_list || option.values.size() != 1) text = "[" + text + "]";
    return option.name + " = " + text + "\n";
}

}  // namespace tessera::io
