// The output file, which gets its name only when it is complete.
#pragma once

#include <optional>
#include <string>

#include "io/hdf5/h5.hpp"
#include "io/hdf5/output_path.hpp"

namespace tessera::io {

/// Opens the output of an earlier run for reading. Throws Error if it is not an output or not
/// complete. A crash of HDF5 in it ends the program with one line (crash_line.hpp).
h5::File open_result(const std::string& path);

/// Writes the root attributes program, version, workload and created.
void write_header(h5::Group& root, const std::string& workload, const std::string& version);

/// The place of an output until it has its name.
struct TemporaryPlace {
    std::string path;    ///< on the output's file system; empty: a temporary_name() beside the
                         ///< output, without what killed processes left there
    bool begun = false;  ///< the file exists already (grid_store.hpp): it is extended, and
                         ///< it stays without a commit()
};

/// Writes under a temporary name, and commit() renames the file. Without a commit the destructor
/// removes it, so that a failed run leaves nothing behind.
class ResultFile {
  public:
    /// Checks the path again and writes the root attributes program, version, workload, created.
    ResultFile(std::string path, const std::string& workload, const std::string& version,
               bool force = false, const TemporaryPlace& place = {});
    ~ResultFile();
    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    h5::Group root() const;
    const std::string& path() const { return path_; }

    /// Marks the file complete, syncs it to disk and gives it its name. Groups and datasets of it
    /// become invalid. If the name has been taken meanwhile, the complete file gets another
    /// name, which the Error reports.
    void commit();

  private:
    void discard();
    void give_name();

    std::string path_;
    std::string temporary_path_;
    bool force_, begun_;
    std::optional<h5::File> file_;
};

}  // namespace tessera::io
