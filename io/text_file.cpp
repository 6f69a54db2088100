#include "io/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace tessera::io {
namespace {

// More than any basis of today gives: 30,000 functions in full have 25 GB.
constexpr std::size_t largest_text = std::size_t{64} << 30;

/// A path with what it is called, for messages.
struct Named {
    const std::string& path;
    const TextKind& kind;
};

[[noreturn]] void refuse(const Named& file, const std::string& why, const std::string& what_to_do) {
    throw Error("cannot read " + std::string(file.kind.noun) + " '" + file.path + "'", why,
                what_to_do);
}

struct FileDescriptor {
    int value = -1;
    explicit FileDescriptor(const std::string& path) : value(open(path.c_str(), O_RDONLY)) {}
    ~FileDescriptor() {
        if (value >= 0) close(value);
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
};

// Read, not mapped: a file cut short under a mapping ends the program by SIGBUS.
std::string read_bytes(const Named& named) {
    const FileDescriptor file(named.path);
    struct stat status {};
    if (file.value < 0 || fstat(file.value, &status) != 0)
        refuse(named, std::strerror(errno), "check the path and its permissions");
    if (S_ISDIR(status.st_mode)) refuse(named, "it is a directory", named.kind.wanted);
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t filled = 0;
    while (true) {
        if (filled == bytes.size()) {  // also where the size is not known before: a pipe
            char more[4096];
            const ssize_t count = read(file.value, more, sizeof more);
            if (count < 0) refuse(named, std::strerror(errno), "check the disk it lies on");
            if (count == 0) break;
            bytes.append(more, static_cast<std::size_t>(count));
            filled += static_cast<std::size_t>(count);
            continue;
        }
        const ssize_t count = read(file.value, bytes.data() + filled, bytes.size() - filled);
        if (count < 0) refuse(named, std::strerror(errno), "check the disk it lies on");
        if (count == 0) break;
        filled += static_cast<std::size_t>(count);
    }
    bytes.resize(filled);
    return bytes;
}

// Ends the inflate stream on every way out.
struct Inflater {
    z_stream stream{};
    Inflater() { inflateInit2(&stream, 15 + 16); }
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
};

// The size a gzip file gives in its last four bytes (modulo 2^32), as a first guess.
std::size_t unpacked_size(const std::string& bytes) {
    std::size_t size = 0;
    for (std::size_t i = 1; i <= 4 && i <= bytes.size(); ++i)
        size = size << 8 | static_cast<unsigned char>(bytes[bytes.size() - i]);
    return std::min(std::max<std::size_t>(size, 1 << 16), 20 * bytes.size() + (1 << 16)) + 1;
}

std::string gunzip(const std::string& bytes, const Named& named) {
    constexpr std::size_t piece = std::size_t{1} << 30;  // zlib counts in 32 bits
    Inflater inflater;
    z_stream& stream = inflater.stream;
    std::string text(unpacked_size(bytes), '\0');
    std::size_t taken = 0, filled = 0;
    while (true) {
        if (filled == text.size()) text.resize(2 * text.size());
        if (text.size() > largest_text)
            refuse(named, "more than 64 GiB when unpacked", named.kind.when_larger);
        const std::size_t input = std::min(piece, bytes.size() - taken);
        const std::size_t room = std::min(piece, text.size() - filled);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + taken));
        stream.avail_in = static_cast<uInt>(input);
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + filled);
        stream.avail_out = static_cast<uInt>(room);
        const int result = inflate(&stream, Z_NO_FLUSH);
        taken += input - stream.avail_in;
        filled += room - stream.avail_out;
        if (result == Z_STREAM_END) {
            // Concatenated members (bgzip, cat a.gz b.gz) follow each other; else it is padding.
            const bool more =
                taken + 2 < bytes.size() && bytes[taken] == '\x1f' && bytes[taken + 1] == '\x8b';
            if (!more) break;
            inflateReset(&stream);
        } else if (result == Z_BUF_ERROR ||
                   (result == Z_OK && taken == bytes.size() && stream.avail_out > 0)) {
            refuse(named, "the gzip file is truncated", "copy it again");
        } else if (result != Z_OK) {
            refuse(named, "the gzip data is damaged", "copy it again");
        }
    }
    text.resize(filled);
    return text;
}

}  // namespace

TextSource read_text_file(const std::string& path, const TextKind& kind) {
    const Named named{path, kind};
    TextSource source{path, read_bytes(named), kind.noun};
    if (source.text.empty()) refuse(named, "the file is empty", "copy it again");
    if (source.text.starts_with("\x1f\x8b")) source.text = gunzip(source.text, named);
    const std::string_view head = std::string_view(source.text).substr(0, 1 << 16);
    if (head.find('\0') != std::string_view::npos)
        refuse(named, "it is binary, not text", kind.wanted);
    if (source.text.find_first_not_of(" \t\r\n") == std::string::npos)
        refuse(named, "it holds nothing", "copy it again");
    if (source.text.starts_with("\xEF\xBB\xBF")) source.text.replace(0, 3, "   ");
    return source;
}

}  // namespace tessera::io
