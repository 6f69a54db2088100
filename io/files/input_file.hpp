// A file that a user gives: opened once, read from front to back, and hashed on the way, so that what is
// computed and what is written down as its input are the same bytes.
#pragma once

#include <time.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/sha256.hpp"

namespace tessera::io {

/// How messages name a kind of file, what they advise, and how much its format can need.
struct InputKind {
    const char* noun;         ///< "star file"
    const char* wanted;       ///< "give ...", where it is something else
    std::size_t most_bytes;   ///< of the file, and of what it unpacks to
    const char* when_larger;  ///< what to do about more than that
};

/// A path with its kind. Both must outlive it.
struct NamedInput {
    const std::string& path;
    const InputKind& kind;

    /// Throws Error: cannot read KIND 'PATH' (why): what to do.
    [[noreturn]] void refuse(const std::string& why, const std::string& what_to_do) const;
    /// Throws Error with the code for another start where a signal has asked to stop.
    void stop_if_asked() const;
};

/// "2 GiB", rounded down.
std::string in_units(std::size_t bytes);

/// Only regular files: a pipe could not be read again by the next start, a device never ends. Nothing here
/// waits longer than for one block of the disk, and a signal ends the reading after it.
class InputFile {
  public:
    /// Throws Error where there is no such file, it may not be read, is no file, or is too large.
    explicit InputFile(const NamedInput& name);

    std::size_t size() const { return size_; }
    /// The bytes that follow, valid until the next call; none at the end. Throws Error where reading
    /// fails, and where the file has changed meanwhile.
    std::string_view next();
    /// Of all that next() gave. Once, at the end.
    std::string sha256() { return hash_.hex(); }

  private:
    struct Descriptor {
        int value = -1;
        explicit Descriptor(const std::string& path);
        ~Descriptor();
        Descriptor(const Descriptor&) = delete;
        Descriptor& operator=(const Descriptor&) = delete;
    };

    std::size_t read_block();
    void require_unchanged() const;

    NamedInput name_;
    Descriptor file_;
    std::size_t size_ = 0, taken_ = 0;
    timespec modified_{};
    std::vector<char> block_;
    Sha256 hash_;
};

/// Of a file that is compared with one that was read before.
std::string sha256_of_file(const std::string& path);

/// The first bytes of a file; none if it cannot be read.
std::string beginning_of(const std::string& path, std::size_t bytes = 4096);

}  // namespace tessera::io
