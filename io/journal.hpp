// An append-only file of checksummed records that survives the end of its writer at any moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace tessera::io {

using Record = std::span<const std::byte>;

/// Calls `receive` for each whole record of the journal at `path`, in order, and returns the bytes
/// they take; what follows the first damaged or torn record does not count. 0 for no such file.
/// `receive` may throw. Reading a journal that is being written to is safe.
std::uint64_t read_journal(const std::string& path, const std::function<void(Record)>& receive);

/// Goes on with the journal at `path`, or begins it. One writer at a time: see PartialFolder.
class JournalWriter {
  public:
    /// Cuts off what read_journal() would not count. Throws Error where the file cannot be written.
    explicit JournalWriter(std::string path);
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    /// Returns when the record would survive the end of this process. It reaches the disk, and would
    /// survive the machine's, a second or so later.
    void append(Record record);

  private:
    [[noreturn]] void fail(const char* what) const;

    std::string path_;
    int file_ = -1;
    std::uint64_t length_ = 0, records_ = 0;
    double last_sync_ = 0;
};

}  // namespace tessera::io
