#include "app/cluster_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/model_export.hpp"
#include "app/option_checks.hpp"
#include "app/viewer_scripts.hpp"
#include "core/error.hpp"
#include "io/files/whole_file.hpp"
#include "io/proteins/mmcif_writer.hpp"
#include "io/proteins/pdb_writer.hpp"
#include "io/text/counted.hpp"

namespace tessera::app {

namespace {

/// Every chain has a plain name, so that scripts and users can select it.
constexpr io::ChainRules named_chains{1, false, false};

/// The centre of cluster i, whose first remark begins with the words of every export.
io::ComplexModel model_of(const docking::DockResult& result, const docking::Partners& partners,
                          const docking::ChosenList& list, std::size_t i) {
    const docking::Cluster& cluster = list.clusters()[i];
    auto model = posed_model(result, partners, list, cluster.center);
    model.remarks.insert(model.remarks.begin(),
                         fmt::format("tessera dock, cluster {} of {}: {}", i + 1,
                                     list.clusters().size(),
                                     io::counted(cluster.members.size(), "pose")));
    return model;
}

std::string title_of(const docking::ChosenList& list) {
    return "tessera dock, clusters of " + list.name();
}

}  // namespace

void ClusterExport::declare(CLI::App& command) {
    command
        .add_option("--clusters", count_,
                    "write models of the centres of the first N clusters, one file for each")
        ->check(whole_number<int>(1, 1000000));
    command
        .add_option("--format", format_,
                    "format of the models: pdb or cif (mmCIF); default: what -o ends with, or pdb")
        ->check(CLI::IsMember({"pdb", "cif"}));
    command.add_flag("--multi-model", multi_model_,
                     "with --clusters: write one file with a model for each cluster");
    command.add_option("-o,--output", output_,
                       "folder for the models of --clusters, or the file of --multi-model");
    command.add_option("--pymol", pymol_,
                       "with --clusters: PyMOL script (.pml) that shows the models");
    command.add_option("--chimerax", chimerax_,
                       "with --clusters: ChimeraX script (.cxc) that shows the models");
}

std::string ClusterExport::format() const {
    if (!format_.empty()) return format_;
    return multi_model_ && output_.ends_with(".cif") ? "cif" : "pdb";
}

void ClusterExport::require_output(const std::string& folder) const {
    if (!chosen() && (multi_model_ || !output_.empty() || has_scripts()))
        throw Error("cannot use --multi-model, -o, --pymol or --chimerax",
                    "they belong to --clusters", "add --clusters N, or leave them out");
    if (chosen() && multi_model_ && output_.empty())
        throw Error("no file for --multi-model", "-o is missing", "give one, such as -o top.cif");
    if (chosen() && output_.empty() && folder.empty())
        throw Error("no folder for --clusters", "neither FOLDER nor -o was given",
                    "give one, for example tessera export run.h5 --clusters 10 models/");
}

std::size_t ClusterExport::clusters_of(const docking::ChosenList& list) const {
    return std::min(list.clusters().size(), static_cast<std::size_t>(count_));
}

std::string ClusterExport::path(const std::string& set, const std::string& folder,
                                std::size_t i) const {
    if (multi_model_) return output_;
    return fmt::format("{}/{}_cluster_{:04}.{}", output_.empty() ? folder : output_, set, i + 1,
                       format());
}

void ClusterExport::check(const docking::ChosenList& list, const std::string& folder,
                          const ExportRules& rules) const {
    if (list.clusters().empty())
        throw Error("no clusters to export", "the list '" + list.name() + "' has none",
                    "choose another one with --set, or export poses with --poses");
    if (!multi_model_) io::make_folder(output_.empty() ? folder : output_);
    for (std::size_t i = 0; i < (multi_model_ ? 1 : clusters_of(list)); ++i)
        rules.check(path(list.name(), folder, i));
    for (const std::string& script : {pymol_, chimerax_})
        if (!script.empty()) rules.check(script);
}

void ClusterExport::write_models(const std::vector<io::ComplexModel>& models,
                                 const docking::ChosenList& list, const std::string& folder) const {
    const bool mmcif = format() == "cif";
    if (multi_model_)
        return mmcif ? io::write_mmcif(output_, models)
                     : io::write_pdb_models(output_, {title_of(list)}, models, named_chains);
    for (std::size_t i = 0; i < models.size(); ++i) {
        const std::string file = path(list.name(), folder, i);
        mmcif ? io::write_mmcif(file, {models[i]})
              : io::write_pdb(file, models[i].remarks, models[i].parts, named_chains);
    }
}

void ClusterExport::write_scripts(const std::vector<io::ComplexModel>& models,
                                  const docking::ChosenList& list,
                                  const std::string& folder) const {
    ShownClusters shown{title_of(list), {}, models.size(), {}, {}};
    for (std::size_t i = 0; i < (multi_model_ ? 1 : models.size()); ++i)
        shown.files.push_back(path(list.name(), folder, i));
    const auto plan =
        io::plan_chains(models.at(0).parts,
                        format() == "cif" ? io::mmcif_chain_rules : named_chains, shown.files[0]);
    for (const auto& [chain, name] : plan.names)
        (chain.first == 0 ? shown.receptor_chains : shown.ligand_chains).push_back(name);
    if (!pymol_.empty()) write_pymol_script(pymol_, shown);
    if (!chimerax_.empty()) write_chimerax_script(chimerax_, shown);
}

void ClusterExport::write(const docking::DockResult& result, const docking::Partners& partners,
                          const docking::ChosenList& list, const std::string& folder) const {
    std::vector<io::ComplexModel> models;
    for (std::size_t i = 0; i < clusters_of(list); ++i)
        models.push_back(model_of(result, partners, list, i));
    write_models(models, list, folder);
    if (has_scripts()) write_scripts(models, list, folder);
}

}  // namespace tessera::app
