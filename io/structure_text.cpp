#include "io/structure_text.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "core/error.hpp"

namespace tessera::io {
namespace {

constexpr std::size_t largest_text = std::size_t{2} << 30;  // a 10^7-atom PDB file has 0.8 GB

std::string problem(const std::string& path) { return "cannot read structure '" + path + "'"; }

std::string read_bytes(const std::string& path) {
    std::error_code status;
    if (std::filesystem::is_directory(path, status))
        throw Error(problem(path), "it is a directory", "give a PDB or mmCIF file");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    if (!file)
        throw Error(problem(path), std::strerror(errno ? errno : ENOENT),
                    "check the path and its permissions");
    if (file.peek() == std::ifstream::traits_type::eof())
        throw Error(problem(path), "the file is empty", "download or copy it again");
    bytes << file.rdbuf();
    if (file.bad() || !bytes)
        throw Error(problem(path), "reading failed half way", "check the disk it lies on");
    return std::move(bytes).str();
}

// Ends the inflate stream on every way out.
struct Inflater {
    z_stream stream{};
    Inflater() { inflateInit2(&stream, 15 + 16); }
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
};

void inflate_member(Inflater& inflater, const std::string& path, std::string& text) {
    std::string chunk(std::size_t{1} << 18, '\0');
    int result = Z_OK;
    while (result != Z_STREAM_END) {
        inflater.stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
        inflater.stream.avail_out = static_cast<uInt>(chunk.size());
        result = inflate(&inflater.stream, Z_NO_FLUSH);
        if (result == Z_BUF_ERROR || (result == Z_OK && inflater.stream.avail_in == 0 &&
                                      inflater.stream.avail_out == chunk.size()))
            throw Error(problem(path), "the gzip file is truncated", "download or copy it again");
        if (result != Z_OK && result != Z_STREAM_END)
            throw Error(problem(path), "the gzip data is damaged", "download or copy it again");
        text.append(chunk, 0, chunk.size() - inflater.stream.avail_out);
        if (text.size() > largest_text)
            throw Error(problem(path), "more than 2 GiB when unpacked",
                        "give a structure, not a trajectory");
    }
}

std::string gunzip(const std::string& bytes, const std::string& path) {
    if (bytes.size() > largest_text)
        throw Error(problem(path), "more than 2 GiB", "give a structure, not a trajectory");
    Inflater inflater;
    inflater.stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    inflater.stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text;
    inflate_member(inflater, path, text);
    // Concatenated members (bgzip) follow each other; anything else behind is padding.
    while (inflater.stream.avail_in > 2 && inflater.stream.next_in[0] == 0x1f &&
           inflater.stream.next_in[1] == 0x8b) {
        inflateReset(&inflater.stream);
        inflate_member(inflater, path, text);
    }
    return text;
}

bool starts_with(const std::string& bytes, std::string_view magic) {
    return std::string_view(bytes).starts_with(magic);
}

void refuse_other_formats(const std::string& text, const std::string& path) {
    if (starts_with(text, "BZh") ||
        starts_with(text, "\xFD"
                          "7zXZ") ||
        starts_with(text, "PK\x03\x04") || starts_with(text, "\x28\xB5\x2F\xFD"))
        throw Error(problem(path), "it is compressed, and not by gzip", "unpack it first");
    const std::string_view head(text.data(), std::min<std::size_t>(text.size(), 1 << 16));
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 32 && !std::strchr("\t\n\v\f\r", c);
    };
    const auto controls = std::count_if(head.begin(), head.end(), is_control);
    const bool has_nul = head.find('\0') != std::string_view::npos;
    if (has_nul || controls * 100 > static_cast<std::ptrdiff_t>(head.size()))
        throw Error(problem(path), "it is binary, not text", "give a PDB or mmCIF file");
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos)
        throw Error(problem(path), "it holds nothing but blanks", "download or copy it again");
    if (text[first] == '<' || text[first] == '{')
        throw Error(problem(path), text[first] == '<' ? "it is XML or a web page" : "it is JSON",
                    "give a PDB or mmCIF file");
}

// "\r\n" and a lone "\r" become "\n".
std::string with_plain_line_ends(std::string text) {
    if (starts_with(text, "\xEF\xBB\xBF")) text.erase(0, 3);
    std::size_t out = 0;
    for (std::size_t in = 0; in < text.size(); ++in) {
        if (text[in] == '\r' && in + 1 < text.size() && text[in + 1] == '\n') continue;
        text[out++] = text[in] == '\r' ? '\n' : text[in];
    }
    text.resize(out);
    return text;
}

}  // namespace

std::string read_structure_text(const std::string& path) {
    std::string text = read_bytes(path);
    if (starts_with(text, "\x1f\x8b")) text = gunzip(text, path);
    if (text.empty())
        throw Error(problem(path), "the gzip file holds nothing", "download or copy it again");
    refuse_other_formats(text, path);
    return with_plain_line_ends(std::move(text));
}

}  // namespace tessera::io
