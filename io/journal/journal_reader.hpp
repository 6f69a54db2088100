// Reads a journal: an append-only file of checksummed records, which journal.hpp writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace tessera::io {

using Record = std::span<const std::byte>;

/// A journal that cannot be read or written. The cause is the disk, not the work.
class JournalError : public Error {
  public:
    using Error::Error;
};

/// Identifies the run of a journal. The key is part of the journal's head and of every record's
/// checksum, so that records of one run are never valid in another.
struct JournalKey {
    std::uint64_t value = 0;
};

/// `identity` is a text of everything that must be equal for two runs to share their progress.
JournalKey journal_key(std::string_view identity);

/// How a journal ends: after a complete record, within a torn or damaged record, or the journal is
/// absent.
enum class JournalEnd : std::uint8_t { whole, torn, absent };

struct JournalReading {
    std::uint64_t bytes = 0;  ///< length of the head and all complete records
    JournalEnd end = JournalEnd::absent;
};

/// Calls `receive` for each complete record of the journal at `path`, in order. `synced` tells
/// whether a sync() of the writer has brought the record to disk. Everything after the first
/// damaged or torn record is ignored. `receive` may throw. A journal may be read while it is being
/// written; its last record may then be torn. Throws JournalError if the file exists but cannot be
/// read, and Error if it belongs to another run.
JournalReading read_journal(const std::string& path, JournalKey key,
                            const std::function<void(Record, bool synced)>& receive);

}  // namespace tessera::io
