// The folder OUT.h5.partial/ that holds a run's progress while it is under way.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "io/journal/journal_reader.hpp"

namespace tessera::io {

/// Whose progress it is: all of this must agree for a run to go on with it.
struct RunIdentity {
    std::string workload;
    std::string input_sha256;      ///< of whatever decides the result
    std::string build;             ///< program version and git revision
    std::int64_t tiles_total = 0;  ///< what "done" means; 0 where it is not known before the end

    bool operator==(const RunIdentity&) const = default;
    /// Of the run's journals.
    JournalKey key() const;
};

/// How long a run waits for another one to let go of its folder: 10 s, or the number of seconds in
/// the environment's TESSERA_LOCK_PATIENCE.
std::chrono::milliseconds lock_patience();

/// Held by one process of a run. The lock dies with its holder; the folder outlives it until
/// remove().
class PartialFolder {
  public:
    /// Makes OUTPUT.partial or takes it over. Throws Error where another process holds it longer than
    /// `patience` or until `stop` is set, where it cannot be made, and where it belongs to another run, which `force` makes
    /// it forget instead.
    PartialFolder(const std::string& output, const RunIdentity& identity, bool force,
                  std::chrono::milliseconds patience = lock_patience(),
                  const std::atomic<bool>* stop = nullptr);
    ~PartialFolder();
    PartialFolder(const PartialFolder&) = delete;
    PartialFolder& operator=(const PartialFolder&) = delete;

    /// Whether an earlier run left it.
    bool resumed() const { return resumed_; }
    const std::string& path() const { return path_; }
    /// Of the run's journals.
    JournalKey key() const { return key_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    /// The output is whole: the folder goes. A second call does nothing.
    void remove();

  private:
    void take_over(const RunIdentity& identity, bool force);

    std::string path_;
    JournalKey key_;
    int lock_ = -1;
    bool resumed_ = false;
    bool removed_ = false;
};

/// Who a folder belongs to, as its file `run` says; Error where it is not one of ours.
RunIdentity read_run_identity(const std::string& folder);

}  // namespace tessera::io
