// An append-only file of checksummed records that survives the end of its writer at any moment.
// Reading one: io/journal/journal_reader.hpp.
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

#include "io/journal/journal_reader.hpp"

namespace tessera::io {

/// Whether a journal may be there already.
enum class JournalStart : std::uint8_t {
    go_on,  ///< it is gone on with, or begun
    anew    ///< it must not be there
};

/// Appends to the journal at `path`. One writer at a time: see PartialFolder. Its own
/// thread brings what was appended to the disk every ten seconds.
class JournalWriter {
  public:
    /// Cuts off what read_journal() would not count. `before_sync` is called, in whatever thread
    /// syncs, before the journal goes to the disk: to bring there what its records speak of. Throws
    /// JournalError where the file cannot be read or written, Error where it is another run's.
    JournalWriter(std::string path, JournalKey key, JournalStart start = JournalStart::go_on,
                  std::function<void()> before_sync = {});
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

    void go_on();

    std::string path_;
    JournalKey key_;
    std::function<void()> before_sync_;
    int file_ = -1;
    std::uint64_t length_ = 0, records_ = 0, synced_ = 0;
    std::exception_ptr failure_;  ///< of the thread
    std::mutex mutex_;            ///< of the numbers above and of writing
    std::condition_variable_any wake_;
    std::jthread thread_;
};

}  // namespace tessera::io
