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

/// A partner's file as the run's input names it, and the chains that were taken.
struct DockedFile {
    std::string path;
    std::vector<std::string> chains;
};

struct DockedFiles {
    DockedFile receptor, ligand;
};

/// As the run's record has them; Error where it has not.
DockedFiles docked_files(const io::h5::Group& root);

/// Which models are asked for, and where they go.
struct ModelChoice {
    std::string folder;
    int count = 0;
    std::string only_set;  ///< empty: all, and the consensus

    bool has(const std::string& set) const { return only_set.empty() || only_set == set; }
    std::size_t of(std::size_t poses) const {
        return std::min(poses, static_cast<std::size_t>(count));
    }
    std::string path(const std::string& set, std::size_t i) const;
};

/// Throws Error, before a file is written, where the rules forbid one, or where a partner's file is not the
/// one that was docked.
void export_models(const docking::DockResult& result, const DockedFiles& docked,
                   const ModelChoice& choice, const ExportRules& rules);

}  // namespace tessera::app
