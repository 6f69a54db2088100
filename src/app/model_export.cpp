#include "app/model_export.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "docking/result/consensus_file.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/proteins/pdb_writer.hpp"
#include "io/proteins/structure.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

namespace {

/// The structures that the run docked.
struct Partners {
    io::Structure receptor, ligand;
};

/// Throws Error if a file is not the one that was docked.
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

void check_models(const docking::DockResult& result, const ModelChoice& choice,
                  const ExportRules& rules) {
    const auto check = [&](const std::string& set, std::size_t poses) {
        for (std::size_t i = 0; choice.has(set) && i < choice.of(poses); ++i)
            rules.check(choice.path(set, i));
    };
    for (const docking::PoseList& list : result.lists) check(list.set.name, list.poses.size());
    if (result.consensus) check(docking::consensus_name, result.consensus->poses.size());
}

void write_models(const docking::DockResult& result, const Partners& partners,
                  const ModelChoice& choice) {
    for (const docking::PoseList& list : result.lists) {
        if (!choice.has(list.set.name)) continue;
        for (std::size_t i = 0; i < choice.of(list.poses.size()); ++i) {
            const docking::Pose& pose = list.poses[i];
            std::vector<std::string> remarks{
                fmt::format("tessera dock, set {}, rank {}", list.set.name, i + 1),
                fmt::format("score {:.4f}", pose.score)};
            for (int k = 0; k < docking::term_count; ++k)
                remarks.push_back(fmt::format("{} {:.4f} weight {}", docking::term_names[k],
                                              pose.terms[k], list.set.weights[k]));
            write_model(partners, choice.path(list.set.name, i), remarks,
                        result.frame.ligand_center,
                        {result.rotations.at(pose.rotation), pose.translation});
        }
    }
}

/// Writes models of the consensus. Refined poses have rotations of their own.
void write_consensus_models(const docking::DockResult& result, const Partners& partners,
                            const ModelChoice& choice) {
    const auto& poses = result.consensus->poses;
    for (std::size_t i = 0; i < choice.of(poses.size()); ++i) {
        const docking::ConsensusPose& pose = poses[i];
        std::vector<std::string> remarks{fmt::format("tessera dock, consensus, rank {}", i + 1),
                                         fmt::format("refined from set {}, rank {}",
                                                     result.lists.at(pose.origin.set).set.name,
                                                     pose.origin.place + 1),
                                         fmt::format("score {:.4f}", pose.score)};
        for (int k = 0; k < kernels::refine_term_count; ++k)
            remarks.push_back(
                fmt::format("{} {:.4f}", kernels::refine_term_names[k], pose.terms[k]));
        write_model(partners, choice.path(docking::consensus_name, i), remarks,
                    result.frame.ligand_center, pose.pose);
    }
}

}  // namespace

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
                    "give an unchanged result of tessera dock");
    }
}

std::string ModelChoice::path(const std::string& set, std::size_t i) const {
    return fmt::format("{}/{}_{:04}.pdb", folder, set, i + 1);
}

void export_models(const docking::DockResult& result, const DockedFiles& docked,
                   const ModelChoice& choice, const ExportRules& rules) {
    const Partners partners = read_partners(docked, result);
    io::make_folder(choice.folder);
    check_models(result, choice, rules);
    write_models(result, partners, choice);
    if (result.consensus && choice.has(docking::consensus_name))
        write_consensus_models(result, partners, choice);
}

}  // namespace tessera::app
