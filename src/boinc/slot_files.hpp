// A task's files. The client puts small files into the task's slot that name the real files, which
// lie in the folder of the project. A run wants to see the files themselves.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tessera::boinc {

/// The path of the file that a file of the slot stands for, seen from the slot. The name itself if
/// it stands for no other file.
using Resolve = std::function<std::string(const std::string& name)>;

/// The file name after -o or --output, or an empty one.
std::string output_of(const std::vector<std::string>& words);

/// The folder FILES in the slot. A run works there: inputs are links with their logical names, and
/// outputs and the journal stay in it until the run is complete. So a result knows its inputs by
/// their logical names, on every computer.
class SlotFiles {
  public:
    /// `output`: the logical name of the result.
    SlotFiles(std::filesystem::path slot, Resolve resolve, std::string output);

    const std::filesystem::path& folder() const { return folder_; }
    /// Whether an earlier process of this task has written the whole result.
    bool has_result() const;
    /// Makes the folder, with a link for every input of the slot. Throws std::filesystem_error.
    void link_inputs() const;
    /// Brings the result to the place where the client expects it. A second call does nothing.
    /// Throws std::filesystem_error.
    void deliver() const;

  private:
    /// Where the client expects the result.
    std::filesystem::path destination() const { return slot_ / resolve_(output_); }

    std::filesystem::path slot_, folder_;
    Resolve resolve_;
    std::string output_;
};

}  // namespace tessera::boinc
