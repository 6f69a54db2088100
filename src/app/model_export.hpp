// tessera export OUT.h5 --poses N DIR: PDB files of poses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "app/export_rules.hpp"
#include "docking/result/dock_result.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// The file of a partner as named in the input of the run, and the chains that were docked.
struct DockedFile {
    std::string path;
    std::vector<std::string> chains;
};

struct DockedFiles {
    DockedFile receptor, ligand;
};

/// Reads them from the record of the run. Throws Error if they are missing there.
DockedFiles docked_files(const io::h5::Group& root);

/// Which models to write, and where.
struct ModelChoice {
    std::string folder;
    int count = 0;
    std::string only_set;  ///< empty: all sets and the consensus

    bool has(const std::string& set) const { return only_set.empty() || only_set == set; }
    std::size_t of(std::size_t poses) const {
        return std::min(poses, static_cast<std::size_t>(count));
    }
    std::string path(const std::string& set, std::size_t i) const;
};

/// Writes PDB models. Before it writes the first file, it throws Error if the rules forbid one of
/// them or if the file of a partner is not the one that was docked.
void export_models(const docking::DockResult& result, const DockedFiles& docked,
                   const ModelChoice& choice, const ExportRules& rules);

}  // namespace tessera::app
