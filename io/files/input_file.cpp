#include "io/files/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/error.hpp"
#include "core/stop_flag.hpp"
#include "io/files/home_folder.hpp"

namespace tessera::io {

namespace {

// A block is small, so that a signal ends a slow read soon.
constexpr std::size_t block_bytes = std::size_t{1} << 20;

/// The limit is that of the largest kind, because such a file was read as one of them before.
constexpr InputKind compared_file{"file", "give the file that was read before",
                                  std::size_t{64} << 30, "give the file that was read before"};

void require_readable(mode_t mode, const NamedInput& name) {
    if (S_ISREG(mode)) return;
    if (S_ISDIR(mode)) name.refuse("it is a directory", name.kind.wanted);
    if (S_ISFIFO(mode))
        name.refuse("it is a pipe, which can be read only once",
                    "write its contents to a file first");
    name.refuse("it is a device or a socket, not a file", name.kind.wanted);
}

void require_size(std::size_t bytes, const NamedInput& name) {
    if (bytes > name.kind.most_bytes)
        name.refuse("it has " + in_units(bytes) + ", more than " + in_units(name.kind.most_bytes),
                    name.kind.when_larger);
}

struct stat status_of(int descriptor, const NamedInput& name) {
    struct stat status {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        name.refuse(std::strerror(errno),
                    names_home(name.path) ? write_home : "check the path and its permissions");
    return status;
}

}  // namespace

std::string in_units(std::size_t bytes) {
    for (const auto& [shift, unit] : {std::pair(30, " GiB"), std::pair(20, " MiB")})
        if (bytes >> shift > 0) return std::to_string(bytes >> shift) + unit;
    return std::to_string(bytes) + " bytes";
}

void NamedInput::refuse(const std::string& why, const std::string& what_to_do) const {
    throw Error("cannot read " + std::string(kind.noun) + " '" + path + "'", why, what_to_do);
}

void NamedInput::stop_if_asked() const {
    if (StopFlag::asked())
        throw Error("stopped while reading '" + path + "'", "a signal asked for it",
                    "start the same command again", ExitCode::requeue);
}

// Without O_NONBLOCK, opening a pipe that nobody writes to would block for ever.
InputFile::Descriptor::Descriptor(const std::string& path)
    : value(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}

InputFile::Descriptor::~Descriptor() {
    if (value >= 0) close(value);
}

InputFile::InputFile(const NamedInput& name) : name_(name), file_(name.path) {
    const struct stat status = status_of(file_.value, name);
    require_readable(status.st_mode, name);
    size_ = static_cast<std::size_t>(status.st_size);
    require_size(size_, name);
    modified_ = status.st_mtim;
}

std::string_view InputFile::next() {
    block_.resize(std::min(block_bytes, size_ + 1));  // one byte more detects a file that grows
    const std::size_t count = read_block();
    taken_ += count;
    if (count == 0 || taken_ > size_) require_unchanged();
    const std::string_view block(block_.data(), count);
    hash_.add(block);
    return block;
}

std::size_t InputFile::read_block() {
    while (true) {
        name_.stop_if_asked();
        const ssize_t count = read(file_.value, block_.data(), block_.size());
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) name_.refuse(std::strerror(errno), "check its disk");
    }
}

void InputFile::require_unchanged() const {
    const timespec now = status_of(file_.value, name_).st_mtim;
    if (taken_ != size_ || now.tv_sec != modified_.tv_sec || now.tv_nsec != modified_.tv_nsec)
        name_.refuse("it changed while it was read", "start again when it is complete");
}

std::string sha256_of_file(const std::string& path) {
    InputFile file({path, compared_file});
    while (!file.next().empty()) {
    }
    return file.sha256();
}

namespace {

std::string part_of(const std::string& path, std::size_t bytes, bool at_end) {
    std::error_code not_a_file;  // opening a pipe that nobody writes to would block for ever
    const std::uintmax_t size = std::filesystem::file_size(path, not_a_file);
    if (not_a_file) return {};
    std::string text(std::min<std::uintmax_t>(bytes, size), '\0');
    std::ifstream file(path, std::ios::binary);
    if (at_end) file.seekg(static_cast<std::streamoff>(size - text.size()));
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

}  // namespace

std::string beginning_of(const std::string& path, std::size_t bytes) {
    return part_of(path, bytes, false);
}

std::string end_of(const std::string& path, std::size_t bytes) {
    return part_of(path, bytes, true);
}

}  // namespace tessera::io
