#include "io/text/text_file.hpp"

#include "io/files/gunzip.hpp"

namespace tessera::io {

namespace {

/// Checks the beginning before gigabytes are read.
void require_text(std::string_view beginning, const NamedInput& name) {
    if (name.kind.binary_beginning && beginning.starts_with(name.kind.binary_beginning)) return;
    for (const std::string_view packed : {"BZh",
                                          "\xFD"
                                          "7zXZ",
                                          "PK\x03\x04", "\x28\xB5\x2F\xFD"})
        if (beginning.starts_with(packed))
            name.refuse("it is compressed by a program other than gzip", "unpack it first");
    if (beginning.substr(0, 1 << 16).find('\0') != std::string_view::npos)
        name.refuse("it is binary, not text", name.kind.wanted);
}

}  // namespace

TextSource read_text_file(const std::string& path, const InputKind& kind) {
    const NamedInput name{path, kind};
    const auto look = [&](std::string_view beginning) { require_text(beginning, name); };
    InputFile file(name);
    TextSource source{path, {}, kind.noun};
    std::string& text = source.text;
    text.reserve(file.size());
    for (std::string_view block = file.next(); !block.empty(); block = file.next()) {
        if (text.empty() && !is_gzip(block)) look(block);
        text += block;
    }
    source.sha256 = file.sha256();
    if (text.empty()) name.refuse("the file is empty", "copy it again");
    if (is_gzip(text)) text = gunzip(text, name, look);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        name.refuse("it contains nothing but blanks", "copy it again");
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a byte order mark
    return source;
}

}  // namespace tessera::io
