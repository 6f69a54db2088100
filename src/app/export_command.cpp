#include "app/export_command.hpp"

#include "app/model_export.hpp"
#include "app/option_checks.hpp"
#include "core/error.hpp"
#include "docking/result/consensus_file.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/result/zdock_format.hpp"
#include "io/hdf5/result_file.hpp"

namespace tessera::app {

namespace {

const docking::PoseList& find_list(const docking::DockResult& result, const std::string& name) {
    std::string known;
    for (const docking::PoseList& list : result.lists) {
        if (name.empty() || list.set.name == name) return list;
        known += (known.empty() ? "" : ", ") + list.set.name;
    }
    throw Error("no set '" + name + "' in this file", "it holds " + known, "choose one of them");
}

}  // namespace

void ExportCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("export",
                                  "Write models, pose lists, grids and meshes for other programs");
    command_->footer("Examples:\n  tessera export run.h5 --poses 10 models/\n"
                     "  tessera export run.h5 --zdock run.zdock.out --set balanced\n"
                     "  tessera export run.h5 --cube cubes/");
    command_->add_option("file", path_, "result of tessera dock or tessera orbital")->required();
    auto* poses =
        command_->add_option("--poses", poses_, "write PDB models of the best N poses of each set")
            ->check(whole_number<int>(1, 1000000));
    auto* folder = command_->add_option("folder", folder_,
                                        "folder for the PDB models; created if it does not exist");
    poses->needs(folder);
    command_->add_option("--zdock", zdock_, "file for a pose list in the ZDOCK layout");
    command_->add_option(
        "--set", set_,
        "export this coefficient set only; default: all sets, and the first one for --zdock");
    orbitals_.declare(*command_);
    command_->add_flag("--force", force_, "replace files of earlier exports");
}

int ExportCommand::run() const {
    if (poses_ == 0 && zdock_.empty() && !orbitals_.chosen())
        throw Error("nothing to export", "none of --poses, --zdock, --cube, --dx, --mesh was given",
                    "give one of them, for example tessera export run.h5 --poses 10 models/");
    const auto file = io::open_result(path_);
    const auto root = file.root();
    if (orbitals_.chosen()) {
        orbitals_.run(root, {force_, {path_}});
        return 0;
    }
    if (root.read_attribute<std::string>("workload") != "dock")
        throw Error(path_ + " holds no poses",
                    "its workload is " + root.read_attribute<std::string>("workload"),
                    "give the output of tessera dock");
    const docking::DockResult result = docking::read_dock_result(root);
    const bool consensus_only = set_ == docking::consensus_name && result.consensus;
    if (!set_.empty() && !(consensus_only && zdock_.empty())) find_list(result, set_);
    const DockedFiles docked = docked_files(root);
    const ExportRules rules{force_, {path_, docked.receptor.path, docked.ligand.path}};
    if (!zdock_.empty()) rules.check(zdock_, docking::is_zdock_export);
    if (poses_ > 0) export_models(result, docked, {folder_, poses_, set_}, rules);
    if (!zdock_.empty())
        docking::write_zdock(zdock_, result, find_list(result, set_), docked.receptor.path,
                             docked.ligand.path);
    return 0;
}

}  // namespace tessera::app
