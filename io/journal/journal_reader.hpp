// Reading a journal: an append-only file of checksummed records (io/journal/journal.hpp writes it).
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

/// A journal that cannot be read or written to: the fault of the disk, not of the work it is about.
class JournalError : public Error {
  public:
    using Error::Error;
};

/// Says which run a journal belongs to. It stands in the journal's head and enters every record's
/// checksum, so that the records of one run never count in another.
struct JournalKey {
    std::uint64_t value = 0;
};

/// `identity`: a text of all that must be equal for two runs to share their progress.
JournalKey journal_key(std::string_view identity);

/// How a journal ends: after a whole record, within one that is torn or damaged, or it is not there.
enum class JournalEnd : std::uint8_t { whole, torn, absent };

struct JournalReading {
    std::uint64_t bytes = 0;  ///< of the head and of all records before the end
    JournalEnd end = JournalEnd::absent;
};

/// Calls `receive` for each whole record of the journal at `path`, in order, and tells whether the
/// record had been brought to the disk by a sync() of its writer. What follows the first damaged or
/// torn record does not count. `receive` may throw. Reading a journal that is being written to is
/// safe: its last record may be torn then. Throws JournalError where the file is there but cannot be
/// read, and Error where it belongs to another run.
JournalReading read_journal(const std::string& path, JournalKey key,
                            const std::function<void(Record, bool synced)>& receive);

}  // namespace tessera::io
