// tessera export OUT.h5 --poses N DIR: files of poses, and models that other exports write.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "app/export_rules.hpp"
#include "docking/result/chosen_list.hpp"
#include "docking/result/dock_result.hpp"
#include "io/hdf5/h5.hpp"
#include "io/proteins/complex.hpp"

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

/// The atoms of both partners: from the result, or from the files if it is the result of an earlier
/// version, which lacks them. Throws Error if such a file is gone or not the one that was docked.
docking::Partners partners_of(const docking::DockResult& result, const DockedFiles& docked);

/// The complex of a pose of the list, with remarks. It points to `partners`, which are whole: what
/// was left out of the docking moves along, and a remark names it.
io::ComplexModel posed_model(const docking::DockResult& result, const docking::Partners& partners,
                             const docking::ChosenList& list, std::size_t pose);

/// Which models to write, and where.
struct ModelChoice {
    std::string folder;
    int count = 0;
    std::string only_set;        ///< empty: all sets and the consensus
    std::string format = "pdb";  ///< or "cif"

    bool has(const std::string& set) const { return only_set.empty() || only_set == set; }
    std::size_t of(std::size_t poses) const {
        return std::min(poses, static_cast<std::size_t>(count));
    }
    std::string path(const std::string& set, std::size_t i) const;
};

/// Writes a model of each pose. Before it writes the first file, it throws Error if the rules
/// forbid one of them or if the atoms of a partner are missing.
void export_models(const docking::DockResult& result, const DockedFiles& docked,
                   const ModelChoice& choice, const ExportRules& rules);

}  // namespace tessera::app
