// An append-only file of checksummed records. It remains readable if its writer ends at any moment.
// journal_reader.hpp reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "io/files/sync_thread.hpp"
#include "io/journal/journal_reader.hpp"

namespace tessera::io {

/// Whether a journal may exist already.
enum class JournalStart : std::uint8_t {
    go_on,  ///< an existing journal is continued, otherwise one is begun
    anew    ///< the journal must not exist
};

/// Appends to the journal at `path`. There may be one writer at a time: see PartialFolder. A thread
/// of the writer syncs the appended records to disk every ten seconds.
class JournalWriter {
  public:
    /// Cuts off everything that read_journal() would not count. `before_sync` is called before each
    /// sync of the journal, in the thread that syncs, to sync the files that the records refer to.
    /// Throws JournalError if the file cannot be read or written, and Error if it belongs to
    /// another run.
    JournalWriter(std::string path, JournalKey key, JournalStart start = JournalStart::go_on,
                  std::function<void()> before_sync = {});
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    /// Returns when the record would survive the end of this process. Throws Error if it cannot be
    /// written, or if an earlier record could not be synced.
    void append(Record record) { append(std::span(&record, 1)); }
    /// Appends one record that is given in several pieces.
    void append(std::span<const Record> pieces);
    /// Returns when all records would survive a crash of the machine.
    void sync();
    /// Ends the writing, after a sync() if `to_disk`. The destructor also syncs but does not throw.
    void close(bool to_disk);

  private:
    void write_at(std::span<const Record> pieces, std::uint64_t at) const;
    void write_head(std::uint64_t synced) const;
    void sync_new_records();
    [[noreturn]] void fail(const char* what) const;

    void go_on();

    std::string path_;
    JournalKey key_;
    std::function<void()> before_sync_;
    int file_ = -1;
    std::uint64_t length_ = 0, records_ = 0, synced_ = 0;
    std::mutex mutex_;  ///< guards the numbers above and writing
    std::optional<SyncThread> syncing_;
};

}  // namespace tessera::io
