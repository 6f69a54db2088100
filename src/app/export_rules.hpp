// Where an export may go.
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/output_path.hpp"

namespace tessera::app {

/// Nothing replaces what an export is made of; older exports make way with --force, which the command
/// declares.
struct ExportRules {
    bool force = false;
    std::vector<std::string> sources;

    /// Throws Error where a file must not be written there; to be asked for all before the first.
    void check(const std::string& path,
               const std::function<bool(const std::string&)>& is_ours = io::is_export) const {
        for (const std::string& source : sources) io::keep_source(path, source);
        io::check_output_path(path, force, is_ours);
    }
};

}  // namespace tessera::app
