// What earlier runs have left in the folder of the results.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "docking/pairs/pair_manifest.hpp"
#include "docking/pairs/pair_output.hpp"
#include "docking/pairs/pair_rows.hpp"
#include "io/files/file_stamp.hpp"

namespace tessera::docking {

/// Throws Error with ExitCode::requeue if a signal asks to stop.
void stop_if_asked();

/// The input files of all rows. Each is looked at once, and hashed at most once: not at all if the
/// manifest knows it as it is.
class InputHashes {
  public:
    explicit InputHashes(PairManifest& manifest) : manifest_(manifest) {}

    /// Nothing if there is no such file.
    const std::optional<io::FileStatus>& status(const std::string& path);
    /// Throws Error if the file cannot be read.
    const std::string& sha256(const std::string& path);
    /// How many files have been read so far. For tests.
    std::int64_t read() const { return read_; }

  private:
    struct Seen {
        std::optional<io::FileStatus> status;
        std::int64_t when = 0;
        std::string sha256;
    };
    Seen& seen(const std::string& path);

    PairManifest& manifest_;
    std::unordered_map<std::string, Seen> files_;
    std::int64_t read_ = 0;
};

/// On rank 0. The manifest learns what had to be read.
class OutputScan {
  public:
    OutputScan(const PairOutputs& outputs, PairManifest& manifest)
        : outputs_(outputs), manifest_(manifest), inputs_(manifest) {}

    /// Finds out whether an earlier run has done pair `index`, and whether it can be done. Throws
    /// Error with ExitCode::requeue if a signal asks to stop.
    PairRow look_at(std::size_t index, const DockPair& pair);

    const InputHashes& inputs() const { return inputs_; }
    /// How many result files have been opened so far. For tests.
    std::int64_t opened() const { return opened_; }

  private:
    void keep_inputs(const std::string& path, const io::FileStatus& output, const DockPair& pair);
    std::string input_sha256(const DockPair& pair);
    PairRow look_at_file(std::size_t index, const DockPair& pair, const io::FileStamp& stamp);

    const PairOutputs& outputs_;
    PairManifest& manifest_;
    InputHashes inputs_;
    std::int64_t opened_ = 0;
};

/// Looks at all rows.
std::vector<PairRow> look_at_outputs(const PairOutputs& outputs, const PairSource& pairs,
                                     PairManifest& manifest);

}  // namespace tessera::docking
