// tessera export OUT.h5 --clusters N DIR | --clusters N --multi-model -o FILE
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "app/export_rules.hpp"
#include "docking/result/chosen_list.hpp"
#include "docking/result/dock_result.hpp"
#include "io/proteins/complex.hpp"

namespace tessera::app {

/// The part of `tessera export` that writes the centres of clusters.
class ClusterExport {
  public:
    /// Adds its options to the export command.
    void declare(CLI::App& command);
    bool chosen() const { return count_ > 0; }
    /// "pdb" or "cif", for models of poses.
    std::string format_of_poses() const { return format_.empty() ? "pdb" : format_; }
    /// Throws Error unless the options name a place for the clusters. `folder` is the one of the
    /// command line, or empty.
    void require_output(const std::string& folder) const;
    /// What its own options name.
    std::vector<NamedOutput> outputs() const {
        return {{"-o", output_}, {"--pymol", pymol_}, {"--chimerax", chimerax_}};
    }
    /// Makes the folder. Throws Error if the list has no clusters or the rules forbid a file. Call
    /// it before anything is written.
    void check(const docking::ChosenList& list, const std::string& folder,
               const ExportRules& rules) const;
    /// `partners` are those of the result.
    void write(const docking::DockResult& result, const docking::Partners& partners,
               const docking::ChosenList& list, const std::string& folder) const;

  private:
    bool has_scripts() const { return !pymol_.empty() || !chimerax_.empty(); }
    std::size_t clusters_of(const docking::ChosenList& list) const;
    void write_models(const std::vector<io::ComplexModel>& models, const docking::ChosenList& list,
                      const std::string& folder) const;
    void write_scripts(const std::vector<io::ComplexModel>& models, const docking::ChosenList& list,
                       const std::string& folder) const;
    std::string format() const;
    /// The file of cluster i, from 0.
    std::string path(const std::string& set, const std::string& folder, std::size_t i) const;

    int count_ = 0;
    std::string format_;  ///< empty: as the output's name says, or PDB
    std::string output_;
    bool multi_model_ = false;
    std::string pymol_, chimerax_;
};

}  // namespace tessera::app
