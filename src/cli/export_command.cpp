#include "cli/export_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "cli/option_checks.hpp"
#include "core/error.hpp"
#include "docking/consensus_file.hpp"
#include "docking/dock_result.hpp"
#include "docking/zdock_format.hpp"
#include "io/one_line.hpp"
#include "io/pdb_writer.hpp"
#include "io/result_file.hpp"
#include "io/run_record.hpp"
#include "io/structure.hpp"
#include "io/whole_file.hpp"

namespace tessera::cli {

namespace {

/// The partners as the run read them.
struct Partners {
    io::Structure receptor, ligand;
};

/// A partner's file as the run's input names it, and the chains that were taken.
struct DockedFile {
    std::string path;
    std::vector<std::string> chains;
};

struct DockedFiles {
    DockedFile receptor, ligand;
};

DockedFiles docked_files(const io::h5::Group& root) {
    try {
        const auto input = nlohmann::json::parse(io::read_run_record(root).input);
        const auto read = [&](const std::string& partner) {
            return DockedFile{input.at(partner).get<std::string>(),
                              input.at(partner + "_chains").get<std::vector<std::string>>()};
        };
        return {read("receptor"), read("ligand")};
    } catch (const nlohmann::json::exception& error) {
        throw Error("cannot use '" + root.file() + "'",
                    "its attribute /run/input does not say what was docked: " +
                        io::one_line(error.what(), 120),
                    "give the output of tessera dock as it was written");
    }
}

/// Throws Error where a file is not the one that was docked.
Partners read_partners(const DockedFiles& docked, const docking::DockResult& result) {
    const auto read = [&](const char* partner, const DockedFile& file, const std::string& sha256) {
        auto structure = io::read_structure(file.path, file.chains);
        if (structure.sha256 != sha256)
            throw Error("cannot place the " + std::string(partner),
                        "'" + file.path + "' has changed since the run",
                        "restore the file that was docked, or dock again");
        return structure;
    };
    return {read("receptor", docked.receptor, result.receptor_sha256),
            read("ligand", docked.ligand, result.ligand_sha256)};
}

/// Exports replace older exports; what they were made of must not go that way.
void keep_sources(const std::string& output, const std::vector<std::string>& sources) {
    for (const std::string& source : sources) {
        std::error_code ignored;
        if (std::filesystem::equivalent(output, source, ignored))
            throw Error("cannot write '" + output + "'", "it is what this export is made of",
                        "choose another name");
    }
}

std::vector<Vec3> moved(const io::Structure& ligand, const Quaternion& rotation, Vec3 center,
                        Vec3 translation) {
    const Matrix3 matrix = rotation.matrix();
    std::vector<Vec3> positions;
    for (const io::AtomRecord& atom : ligand.atoms)
        positions.push_back(matrix * (atom.position - center) + translation);
    return positions;
}

void write_model(const Partners& partners, const std::string& path,
                 const std::vector<std::string>& remarks, Vec3 ligand_center,
                 const kernels::RigidPose& pose) {
    io::write_pdb(
        path, remarks,
        {{&partners.receptor, {}, "receptor"},
         {&partners.ligand, moved(partners.ligand, pose.rotation, ligand_center, pose.translation),
          "ligand"}});
}

void write_models(const docking::DockResult& result, const Partners& partners,
                  const std::string& folder, int count, const std::string& only_set) {
    for (const docking::PoseList& list : result.lists) {
        if (!only_set.empty() && list.set.name != only_set) continue;
        const auto last = std::min(list.poses.size(), static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < last; ++i) {
            const docking::Pose& pose = list.poses[i];
            std::vector<std::string> remarks{
                fmt::format("tessera dock, set {}, rank {}", list.set.name, i + 1),
                fmt::format("score {:.4f}", pose.score)};
            for (int k = 0; k < docking::term_count; ++k)
                remarks.push_back(fmt::format("{} {:.4f} weight {}", docking::term_names[k],
                                              pose.terms[k], list.set.weights[k]));
            write_model(partners, fmt::format("{}/{}_{:04}.pdb", folder, list.set.name, i + 1),
                        remarks, result.frame.ligand_center,
                        {result.rotations.at(pose.rotation), pose.translation});
        }
    }
}

/// Models of the consensus, whose poses carry rotations of their own.
void write_consensus_models(const docking::DockResult& result, const Partners& partners,
                            const std::string& folder, int count) {
    const auto& poses = result.consensus->poses;
    for (std::size_t i = 0; i < std::min(poses.size(), static_cast<std::size_t>(count)); ++i) {
        const docking::ConsensusPose& pose = poses[i];
        std::vector<std::string> remarks{fmt::format("tessera dock, consensus, rank {}", i + 1),
                                         fmt::format("refined from set {}, rank {}",
                                                     result.lists.at(pose.origin.set).set.name,
                                                     pose.origin.rank + 1),
                                         fmt::format("score {:.4f}", pose.score)};
        for (int k = 0; k < kernels::refine_term_count; ++k)
            remarks.push_back(
                fmt::format("{} {:.4f}", kernels::refine_term_names[k], pose.terms[k]));
        write_model(partners,
                    fmt::format("{}/{}_{:04}.pdb", folder, docking::consensus_name, i + 1), remarks,
                    result.frame.ligand_center, pose.pose);
    }
}

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
    command_->add_option("file", path_, "output of tessera dock or orbital")->required();
    auto* poses = command_->add_option("--poses", poses_, "PDB models of the best N of every set")
                      ->check(whole_number<int>(1, 1000000));
    auto* folder = command_->add_option("folder", folder_, "where models go; made if missing");
    poses->needs(folder);
    command_->add_option("--zdock", zdock_, "pose list in the ZDOCK layout");
    command_->add_option("--set", set_, "one coefficient set only (ZDOCK: default the first)");
    orbitals_.declare(*command_);
}

int ExportCommand::run() const {
    if (poses_ == 0 && zdock_.empty() && !orbitals_.chosen())
        throw Error("nothing to export", "none of --poses, --zdock, --cube, --dx, --mesh was given",
                    "say for example: tessera export run.h5 --poses 10 models/");
    const auto file = io::open_result(path_);
    const auto root = file.root();
    if (orbitals_.chosen()) {
        orbitals_.run(root);
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
    if (poses_ > 0) {
        const Partners partners = read_partners(docked, result);
        io::make_folder(folder_);
        write_models(result, partners, folder_, poses_, set_);
        if (result.consensus && (set_.empty() || consensus_only))
            write_consensus_models(result, partners, folder_, poses_);
    }
    if (!zdock_.empty()) {
        keep_sources(zdock_, {path_, docked.receptor.path, docked.ligand.path});
        docking::write_zdock(zdock_, result, find_list(result, set_), docked.receptor.path,
                             docked.ligand.path);
    }
    return 0;
}

}  // namespace tessera::cli
