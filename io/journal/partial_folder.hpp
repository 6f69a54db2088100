// The folder OUT.h5.partial/ that holds the progress of an unfinished run.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "io/journal/journal_reader.hpp"

namespace tessera::io {

/// The identity of a run. All members must agree for a run to continue the progress.
struct RunIdentity {
    std::string workload;
    std::string input_sha256;      ///< of everything that determines the result
    std::string build;             ///< program version and git revision
    std::int64_t tiles_total = 0;  ///< 0 if it is not known before the end

    bool operator==(const RunIdentity&) const = default;
    /// The key of the run's journals.
    JournalKey key() const;
};

/// How long a run waits for another run to release its folder: 10 s, or the seconds in the
/// environment variable TESSERA_LOCK_PATIENCE.
std::chrono::milliseconds lock_patience();

/// One process of a run holds the folder. The lock ends with its holder; the folder stays until
/// remove().
class PartialFolder {
  public:
    /// Makes OUTPUT.partial or takes it over. Throws Error if another process holds it for longer
    /// than `patience` or until `stop` is set. Also throws if it cannot be made, or if it belongs
    /// to another run and `force` is not set; with `force` that progress is removed.
    PartialFolder(const std::string& output, const RunIdentity& identity, bool force,
                  std::chrono::milliseconds patience = lock_patience(),
                  const std::atomic<bool>* stop = nullptr);
    ~PartialFolder();
    PartialFolder(const PartialFolder&) = delete;
    PartialFolder& operator=(const PartialFolder&) = delete;

    /// Whether an earlier run left the folder.
    bool resumed() const { return resumed_; }
    const std::string& path() const { return path_; }
    /// The key of the run's journals.
    JournalKey key() const { return key_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    /// Removes the folder; call it when the output is complete. A second call does nothing.
    void remove();

  private:
    void take_over(const RunIdentity& identity, bool force);

    std::string path_;
    JournalKey key_;
    int lock_ = -1;
    bool resumed_ = false;
    bool removed_ = false;
};

/// Whether OUTPUT is a file that was written after the run of OUTPUT.partial had begun.
bool is_outlived(const std::string& output);

/// Removes OUTPUT.partial if it is what the run of the finished file OUTPUT has left: that run was
/// killed after the file got its name and before the folder was gone. The folder of a later run, or
/// one that a process holds, stays.
void remove_finished_folder(const std::string& output);

/// The run of a folder, as its file `run` says. Throws Error if it is not a folder of a run.
RunIdentity read_run_identity(const std::string& folder);

}  // namespace tessera::io
