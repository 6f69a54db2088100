// A text file for other programs that grows by whole lines while a run goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "io/files/sync_thread.hpp"

namespace tessera::io {

/// Appends to an existing file. A line is handed to the system at once, in one call, so it survives
/// the end of this process. A kill in the middle of that call can leave the first part of the last
/// line, without its line feed: Linux stops at the end of a memory page then. A thread brings new
/// lines to the disk once a minute. Failures throw Error with ExitCode::resources.
class LineFile {
  public:
    /// The file must end with a whole line, and nothing else may write it.
    explicit LineFile(std::string path,
                      std::chrono::milliseconds between_syncs = std::chrono::minutes(1));
    ~LineFile();
    LineFile(const LineFile&) = delete;
    LineFile& operator=(const LineFile&) = delete;

    /// Appends `line` and a line feed. If the disk is full, the part that was written is cut off
    /// again. Also throws if an earlier line could not be brought to the disk.
    void append(std::string_view line);
    /// Brings the rest to the disk and ends the writing. The destructor does the same, but does
    /// not throw.
    void close();

  private:
    void sync();
    [[noreturn]] void fail(const char* what) const;

    std::string path_;
    int file_ = -1;
    bool unsynced_ = false;
    std::mutex mutex_;  ///< guards `unsynced_` and writing
    std::optional<SyncThread> syncing_;
};

}  // namespace tessera::io
