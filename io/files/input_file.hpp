// An input file of the user. It is opened once, read from front to back, and hashed meanwhile. So
// the bytes that are computed with are the bytes that are recorded as the input.
#pragma once

#include <time.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/sha256.hpp"

namespace tessera::io {

/// A kind of file: its name in messages, advice, and the size limit of its format.
struct InputKind {
    const char* noun;         ///< "star file"
    const char* wanted;       ///< "give ...": advice if the file is of another kind
    std::size_t most_bytes;   ///< limit for the file and for its unpacked text
    const char* when_larger;  ///< advice if the file is larger
    /// A file that begins so may be binary, where text is expected.
    const char* binary_beginning = nullptr;
};

/// A path with its kind. Both must outlive this object.
struct NamedInput {
    const std::string& path;
    const InputKind& kind;

    /// Throws Error: cannot read KIND 'PATH' (why): what to do.
    [[noreturn]] void refuse(const std::string& why, const std::string& what_to_do) const;
    /// Throws Error with ExitCode::requeue if a signal has requested to stop.
    void stop_if_asked() const;
};

/// "2 GiB", rounded down.
std::string in_units(std::size_t bytes);

/// Reads regular files only: a later start could not read a pipe again, and a device never ends.
/// Reading waits for at most one block of the disk, and a signal ends it after that.
class InputFile {
  public:
    /// Throws Error if the file does not exist, cannot be read, is not a regular file or is too
    /// large.
    explicit InputFile(const NamedInput& name);

    std::size_t size() const { return size_; }
    /// Returns the next bytes, valid until the next call; empty at the end. Throws Error if reading
    /// fails or the file has changed meanwhile.
    std::string_view next();
    /// The hash of all bytes that next() has returned. Call it once, at the end.
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

/// The hash of a file that is compared with one that was read before.
std::string sha256_of_file(const std::string& path);

/// The first bytes of a file; none if it cannot be read.
std::string beginning_of(const std::string& path, std::size_t bytes = 4096);
/// The last bytes, likewise.
std::string end_of(const std::string& path, std::size_t bytes = 4096);

}  // namespace tessera::io
