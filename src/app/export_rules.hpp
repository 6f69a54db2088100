// Which files an export may write.
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/output_path.hpp"

namespace tessera::app {

/// An export never replaces the files that it reads. It replaces files of earlier exports only with
/// --force.
struct ExportRules {
    bool force = false;
    std::vector<std::string> sources;

    /// Throws Error if `path` must not be written. Call it for all files before writing the first.
    void check(const std::string& path,
               const std::function<bool(const std::string&)>& is_ours = io::is_export) const {
        for (const std::string& source : sources) io::keep_source(path, source);
        io::check_output_path(path, force, is_ours);
    }
};

/// An output, and the option that names it.
struct NamedOutput {
    const char* option;
    std::string path;  ///< empty: the option was not given
};

/// Throws Error if two options name the same file.
void require_distinct(const std::vector<NamedOutput>& outputs);

}  // namespace tessera::app
