// An append-only file of checksummed records that survives the end of its writer at any moment.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "core/error.hpp"

namespace tessera::io {

using Record = std::span<const std::byte>;

/// Calls `receive` for each whole record of the journal at `path`, in order, and returns the bytes
/// they take; what follows the first damaged or torn record does not count. 0 for no such file.
/// `receive` may throw. Reading a journal that is being written to is safe.
std::uint64_t read_journal(const std::string& path, const std::function<void(Record)>& receive);

/// The same, and whether the record had been brought to the disk by a sync() of its writer.
std::uint64_t read_journal_synced(const std::string& path,
                                  const std::function<void(Record, bool synced)>& receive);

/// A journal that cannot be written to: of the disk, not of the work that it is about.
class JournalError : public Error {
  public:
    using Error::Error;
};

/// Goes on with the journal at `path`, or begins it. One writer at a time: see PartialFolder. Its own
/// thread brings what was appended to the disk every ten seconds.
class JournalWriter {
  public:
    /// Cuts off what read_journal() would not count. `before_sync` is called, in whatever thread
    /// syncs, before the journal goes to the disk: to bring there what its records speak of. Throws
    /// Error where the file cannot be written.
    explicit JournalWriter(std::string path, std::function<void()> before_sync = {});
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    /// Returns when the record would survive the end of this process. Throws Error where it cannot be
    /// written, or where an earlier one could not be brought to the disk.
    void append(Record record) { append(std::span(&record, 1)); }
    /// One record in several pieces.
    void append(std::span<const Record> pieces);
    /// Returns when everything would survive the end of the machine.
    void sync();
    /// The end of writing, after a sync() where `to_disk`. The destructor syncs too but throws nothing.
    void close(bool to_disk);

  private:
    void write_at(std::span<const Record> pieces, std::uint64_t at) const;
    void write_head(std::uint64_t synced) const;
    void sync_now_and_then(const std::stop_token& stop);
    [[noreturn]] void fail(const char* what) const;

    std::string path_;
    std::function<void()> before_sync_;
    int file_ = -1;
    std::uint64_t length_ = 0, records_ = 0, synced_ = 0;
    std::exception_ptr failure_;  ///< of the thread
    std::mutex mutex_;            ///< of the numbers above and of writing
    std::condition_variable_any wake_;
    std::jthread thread_;
};

}  // namespace tessera::io
