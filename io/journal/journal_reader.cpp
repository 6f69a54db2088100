#include "io/journal/journal_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "io/files/sha256.hpp"
#include "io/journal/journal_format.hpp"

namespace tessera::io {

namespace {

/// A journal that is open for reading.
class JournalFile {
  public:
    explicit JournalFile(const std::string& path)
        : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) {
        struct stat status = {};
        if (file_ < 0 && errno == ENOENT) return;
        if (file_ < 0 || ::fstat(file_, &status) != 0) fail(std::strerror(errno));
        if (!S_ISREG(status.st_mode)) fail("it is not a regular file");
        size_ = static_cast<std::uint64_t>(status.st_size);
    }
    ~JournalFile() {
        if (file_ >= 0) ::close(file_);
    }
    JournalFile(const JournalFile&) = delete;
    JournalFile& operator=(const JournalFile&) = delete;

    bool is_there() const { return file_ >= 0; }
    std::uint64_t size() const { return size_; }

    /// False where the file ends before `bytes` are full.
    bool read(std::uint64_t at, std::span<std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t count =
                ::pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(at));
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) fail(std::strerror(errno));
            if (count == 0 && at < size_) fail("it ends before its last byte");
            if (count == 0) return false;
            at += static_cast<std::uint64_t>(count);
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        }
        return true;
    }
    template <class T>
    bool read_value(std::uint64_t at, T& value) const {
        return read(at, std::as_writable_bytes(std::span(&value, 1)));
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw JournalError("cannot read the journal '" + path_ + "'", why,
                           "check the disk and start the same command again", ExitCode::resources);
    }
    [[noreturn]] void refuse_other_run() const {
        throw Error("cannot use the journal '" + path_ + "'", "it belongs to another run",
                    "move it away, or start over with --force");
    }

  private:
    const std::string& path_;
    int file_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace

JournalKey journal_key(std::string_view identity) {
    return {std::strtoull(sha256_of(identity).substr(0, 16).c_str(), nullptr, 16)};
}

JournalReading read_journal(const std::string& path, JournalKey key,
                            const std::function<void(Record, bool synced)>& receive) {
    const JournalFile file(path);
    if (!file.is_there()) return {0, JournalEnd::absent};
    JournalHead head;
    if (!file.read_value(0, head) || !head.has_name()) return {0, JournalEnd::torn};
    if (head.key != key.value) file.refuse_other_run();
    const std::uint64_t synced = head.checksum == head.sum() ? head.synced : 0;
    JournalReading reading{sizeof(head), JournalEnd::torn};
    std::vector<std::byte> bytes;
    for (std::uint64_t number = 0; reading.bytes < file.size(); ++number) {
        RecordFrame frame;
        const std::uint64_t left = file.size() - reading.bytes;
        if (left < sizeof(frame) || !file.read_value(reading.bytes, frame)) return reading;
        if (frame.length > left - sizeof(frame)) return reading;
        bytes.resize(frame.length);
        const Record record(bytes);
        if (!file.read(reading.bytes + sizeof(frame), bytes) ||
            RecordFrame(key, number, {&record, 1}).checksum != frame.checksum)
            return reading;
        reading.bytes += sizeof(frame) + frame.length;
        receive(record, reading.bytes <= synced);
    }
    reading.end = JournalEnd::whole;
    return reading;
}

}  // namespace tessera::io
