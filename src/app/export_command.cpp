#include "app/export_command.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/model_export.hpp"
#include "app/option_checks.hpp"
#include "app/single_result.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "docking/result/capri_tables.hpp"
#include "docking/result/chosen_list.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/result/zdock_format.hpp"
#include "docking/screen/shard_view.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/result_file.hpp"
#include "likelihood/fit/best_parameters.hpp"

namespace tessera::app {

namespace {

constexpr const char* capri_poses_file = "/capri_ss.tsv";
constexpr const char* capri_clusters_file = "/capri_clt.tsv";

/// The path itself for one wedge; for several, "best.toml" gives "best-1.toml", "best-2.toml" ...
std::vector<std::string> paths_of_wedges(const std::filesystem::path& path, std::size_t wedges) {
    if (wedges == 1) return {path.string()};
    std::vector<std::string> paths;
    for (std::size_t w = 1; w <= wedges; ++w) {
        auto one = path;
        one.replace_filename(path.stem().string() + "-" + std::to_string(w) +
                             path.extension().string());
        paths.push_back(one.string());
    }
    return paths;
}

}  // namespace

void ExportCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("export",
                                  "Write models, pose lists, grids and meshes for other programs");
    command_->footer("Examples:\n  tessera export run.h5 --poses 10 models/\n"
                     "  tessera export run.h5 --clusters 10 models/\n"
                     "  tessera export run.h5 --clusters 10 --multi-model -o top.cif\n"
                     "  tessera export run.h5 --zdock run.zdock.out --set balanced\n"
                     "  tessera export poses/shard-000000.h5 --pair A__B --poses 1 models/\n"
                     "  tessera export run.h5 --cube cubes/\n"
                     "  tessera export run.h5 --vti images/ --glb scenes/\n"
                     "  tessera export run.h5 --render orbital.png --render-surface HOMO\n"
                     "  tessera export fit.h5 --toml best.toml");
    command_->add_option("file", path_, "result of tessera dock, tessera orbital or tessera fit")
        ->required();
    auto* poses =
        command_
            ->add_option("--poses", poses_,
                         "write models of the best N poses of each set and of the consensus")
            ->check(whole_number<int>(1, 1000000));
    auto* folder = command_->add_option("folder", folder_,
                                        "folder for the models; created if it does not exist");
    poses->needs(folder);
    command_->add_option("--zdock", zdock_, "file for a pose list in the ZDOCK layout");
    command_->add_option("--set", set_,
                         "export this coefficient set only, or 'consensus'; default: all lists for "
                         "--poses, the first set for --zdock, and for the others the consensus or, "
                         "if there is none, the first set");
    command_
        ->add_option("--pair", pair_,
                     "pair of a screening whose --poses are written, by its name RECEPTOR__LIGAND")
        ->check(not_empty("a name of a pair"));
    clusters_.declare(*command_);
    command_->add_option("--capri", capri_,
                         "folder for capri_ss.tsv and capri_clt.tsv in the layout of HADDOCK3, for "
                         "runs with --reference");
    orbitals_.declare(*command_);
    command_->add_option("--toml", toml_,
                         "parameter file for the best model of a fit, with all digits; for several "
                         "wedges best.toml stands for best-1.toml, best-2.toml ...");
    command_->add_option("--config", config_,
                         "configuration file for all options of the run, for tessera ... --config");
    command_->add_flag("--force", force_, "replace files of earlier exports");
}

int ExportCommand::run() const {
    if (poses_ == 0 && zdock_.empty() && capri_.empty() && !clusters_.chosen() &&
        !orbitals_.chosen() && toml_.empty() && config_.empty())
        throw Error("nothing to export",
                    "none of --poses, --clusters, --zdock, --capri, --cube, --dx, --vti, --vtkhdf, "
                    "--mesh, --glb, --render, --toml, --config was given",
                    "give one of them, for example tessera export run.h5 --poses 10 models/");
    clusters_.require_output(folder_);
    auto outputs = clusters_.outputs();
    outputs.insert(outputs.end(), {{"--zdock", zdock_},
                                   {"--toml", toml_},
                                   {"--capri", capri_},
                                   {"--config", config_},
                                   {"--render", orbitals_.picture()}});
    require_distinct(outputs);
    refuse_folder(path_, "an export");
    refuse_pairs_summary(path_, "an export");
    const auto file = io::open_result(path_);
    const auto root = file.root();
    if (!config_.empty()) export_config(root);
    if (!config_.empty() && poses_ == 0 && zdock_.empty() && capri_.empty() &&
        !clusters_.chosen() && !orbitals_.chosen() && toml_.empty())
        return 0;
    const auto workload = root.read_attribute<std::string>("workload");
    if (!pair_.empty() && workload != "screen")
        throw Error("--pair: '" + path_ + "' is no file of poses of a screening",
                    "its workload is " + workload, "leave --pair out");
    if (workload == "screen")
        export_screened(root);
    else if (orbitals_.chosen())
        orbitals_.run(root, {force_, {path_}});
    else if (!toml_.empty())
        export_parameters(root);
    else
        export_docking(root);
    return 0;
}

void ExportCommand::export_docking(const io::h5::Group& root) const {
    if (root.read_attribute<std::string>("workload") != "dock")
        throw Error(path_ + " holds no poses",
                    "its workload is " + root.read_attribute<std::string>("workload"),
                    "give the output of tessera dock");
    docking::DockResult result = docking::read_dock_result(root);
    if (!set_.empty()) docking::find_list(result, set_);
    if (!zdock_.empty() && result.symmetry.is_set())
        throw Error("cannot write '" + zdock_ + "'",
                    "the ZDOCK layout has places on a grid, and rings close only between them",
                    "leave out --zdock, or write models with --poses");
    if (!zdock_.empty() && result.ensemble)
        throw Error(
            "cannot write '" + zdock_ + "'",
            "the ZDOCK layout has one structure of each partner, and the poses have several "
            "conformers",
            "leave out --zdock, or write models with --poses");
    if (clusters_.chosen() || !capri_.empty()) docking::read_clusters_and_quality(root, result);
    const DockedFiles docked = docked_files(root);
    const ExportRules rules{force_, {path_, docked.receptor.path, docked.ligand.path}};
    if (!zdock_.empty()) rules.check(zdock_, docking::is_zdock_export);
    const auto chosen =
        set_.empty() ? docking::best_list(result) : docking::find_list(result, set_);
    if (clusters_.chosen()) clusters_.check(chosen, folder_, rules);
    if (!capri_.empty()) check_capri(chosen, rules);
    if (poses_ > 0)
        export_models(result, docked, {folder_, poses_, set_, clusters_.format_of_poses()}, rules);
    if (clusters_.chosen()) clusters_.write(result, partners_of(result, docked), chosen, folder_);
    if (!zdock_.empty())
        docking::write_zdock(zdock_, result,
                             set_.empty() ? docking::all_lists(result).front() : chosen,
                             docked.receptor.path, docked.ligand.path);
    if (!capri_.empty()) write_capri(chosen);
}

void ExportCommand::export_screened(const io::h5::Group& root) const {
    if (poses_ == 0 || pair_.empty())
        throw Error("cannot export this from '" + path_ + "'",
                    "of a screening, the poses of a pair can be exported",
                    "give --pair RECEPTOR__LIGAND --poses N FOLDER");
    const docking::PoseShard shard = docking::read_shard(root);
    const docking::PoseShard::Pair& pair = docking::pair_named(shard, pair_);
    const auto file_of = [](const std::vector<docking::PoseShard::Partner>& list,
                            std::int64_t place) {
        const docking::PoseShard::Partner& partner = list[static_cast<std::size_t>(place)];
        return DockedFile{partner.path, partner.chains};
    };
    const DockedFiles docked{file_of(shard.receptors, pair.receptor),
                             file_of(shard.ligands, pair.ligand)};
    export_models(docking::result_of_pair(shard, pair), docked,
                  {folder_, poses_, "", clusters_.format_of_poses()},
                  {force_, {path_, docked.receptor.path, docked.ligand.path}});
}

void ExportCommand::export_parameters(const io::h5::Group& root) const {
    if (const auto workload = root.read_attribute<std::string>("workload"); workload != "fit")
        throw Error("'" + path_ + "' holds no fitted parameters", "its workload is " + workload,
                    "give the output of tessera fit");
    const auto texts = likelihood::best_parameters(root);
    const auto paths = paths_of_wedges(toml_, texts.size());
    for (const std::string& path : paths) ExportRules{force_, {path_}}.check(path);
    const std::string command = likelihood::likelihood_command(root, paths);
    std::vector<std::unique_ptr<io::WholeFile>> files;
    for (std::size_t w = 0; w < texts.size(); ++w) {
        files.push_back(std::make_unique<io::WholeFile>(paths[w]));
        files.back()->write(texts[w]);
    }
    for (std::size_t w = 0; w < texts.size(); ++w) {
        files[w]->commit();
        print_line(stdout, "written: " + paths[w]);
    }
    print_line(stdout, "the same likelihood: " + command);
}

void ExportCommand::export_config(const io::h5::Group& root) const {
    const auto run = root.open_group("run");
    if (!run.has_attribute("config"))
        throw Error("'" + path_ + "' does not hold the options of its command",
                    "an earlier version of the program wrote it",
                    "take them from its command: tessera info " + path_);
    ExportRules{force_, {path_}}.check(config_);
    io::WholeFile file(config_);
    file.write(run.read_attribute<std::string>("config"));
    file.commit();
}

void ExportCommand::check_capri(const docking::ChosenList& list, const ExportRules& rules) const {
    if (list.quality().empty())
        throw Error("'" + path_ + "' has no evaluation", "the run had no --reference",
                    "add one: tessera rescore " + path_ + " --reference COMPLEX.pdb -o NEW.h5");
    io::make_folder(capri_);
    for (const char* name : {capri_poses_file, capri_clusters_file})
        rules.check(capri_ + name, docking::is_capri_table);
}

void ExportCommand::write_capri(const docking::ChosenList& list) const {
    const auto write = [&](const char* name, const std::string& text) {
        io::WholeFile file(capri_ + name);
        file.write(text);
        file.commit();
    };
    write(capri_poses_file, docking::capri_poses(list));
    write(capri_clusters_file, docking::capri_clusters(list));
}

}  // namespace tessera::app
