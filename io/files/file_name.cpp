#include "io/files/file_name.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace tessera::io {

namespace {

constexpr std::size_t longest = 200;  // of the 255 bytes that file systems allow

}  // namespace

std::string why_no_file_name(std::string_view name) {
    if (name.empty()) return "it is empty";
    if (name.size() > longest) return "it is longer than " + std::to_string(longest) + " bytes";
    if (name.front() == '.') return "it begins with a dot";
    if (std::string_view("=+-@").find(name.front()) != std::string_view::npos)
        return "it begins with '" + std::string(1, name.front()) +
               "', which spreadsheets take for a formula";
    if (name.find_first_of("/\\") != std::string_view::npos) return "it contains a slash";
    if (std::ranges::any_of(name, [](char c) { return c < ' ' || c > '~'; }))
        return "it contains characters other than printable ASCII";
    return "";
}

void require_file_name(const std::string& file, const std::string& what, const std::string& name) {
    if (const std::string why = why_no_file_name(name); !why.empty())
        throw Error("cannot use '" + file + "'",
                    "its " + what + " '" + name.substr(0, longest) +
                        "' is not a valid file name: " + why,
                    "give the output of a tessera run as it was written");
}

std::string without_capitals(std::string name) {
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return name;
}

}  // namespace tessera::io
