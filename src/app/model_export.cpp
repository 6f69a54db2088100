#include "app/model_export.hpp"

#include <fmt/format.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "docking/result/ring_copies.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/proteins/mmcif_writer.hpp"
#include "io/proteins/pdb_writer.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

using docking::ChosenList;
using docking::Partners;

namespace {

/// Reads a partner of a result that lacks its atoms. Throws Error if the file is gone or is not the
/// one that was docked.
io::Structure read_docked(const char* partner, const DockedFile& file, const std::string& sha256) {
    const auto refuse = [&](const std::string& why) {
        throw Error("cannot place the " + std::string(partner), "'" + file.path + "' " + why,
                    "restore the file that was docked, or dock again");
    };
    std::error_code ignored;
    if (!std::filesystem::exists(file.path, ignored))
        refuse("is gone, and this result does not hold its atoms");
    auto structure = io::read_structure(file.path, file.chains);
    if (structure.sha256 != sha256) refuse("has changed since the run");
    return structure;
}

std::vector<Vec3> moved(const io::Structure& ligand, const Quaternion& rotation, Vec3 center,
                        Vec3 translation) {
    const Matrix3 matrix = rotation.matrix();
    std::vector<Vec3> positions;
    positions.reserve(ligand.atoms.size());
    for (const io::AtomRecord& atom : ligand.atoms)
        positions.push_back(matrix * (atom.position - center) + translation);
    return positions;
}

/// The places of all atoms in a conformer; empty for those of the partner itself.
std::vector<Vec3> places_of(const docking::PartnerConformers& partner, std::size_t conformer) {
    return conformer == 0 ? std::vector<Vec3>{} : partner.positions.at(conformer);
}

}  // namespace

Partners partners_of(const docking::DockResult& result, const DockedFiles& docked) {
    if (result.partners) return *result.partners;
    return {read_docked("receptor", docked.receptor, result.receptor_sha256),
            read_docked("ligand", docked.ligand, result.ligand_sha256)};
}

io::ComplexModel posed_model(const docking::DockResult& result, const Partners& partners,
                             const ChosenList& list, std::size_t pose) {
    const docking::Combination pair = list.conformers(pose);
    const docking::Ensemble ensemble = result.ensemble.value_or(docking::Ensemble{});
    io::ComplexModel model{
        list.remarks(pose),
        {{&partners.receptor, places_of(ensemble.receptor, pair.receptor), "receptor"}}};
    const io::Structure ligand = ensemble.ligand.place(partners.ligand, pair.ligand);
    for (const kernels::RigidPose& copy : docking::copies_of_pose(result, list, pose))
        model.parts.push_back(
            {&partners.ligand,
             moved(ligand, copy.rotation, result.frame.ligand_center, copy.translation),
             result.symmetry.is_set() ? fmt::format("copy {}", model.parts.size() + 1) : "ligand"});
    if (result.symmetry.is_set())
        model.remarks.push_back(fmt::format("symmetry {}{}: the receptor and its copies",
                                            list.opposite(pose) ? "D" : "C",
                                            result.symmetry.copies));
    const auto add_remark = [&](const std::string& partner, const docking::LowConfidence& low) {
        if (!low.left_out.empty())
            model.remarks.push_back(fmt::format("not docked, pLDDT below {:g}: {} {}",
                                                low.threshold, partner, low.named));
    };
    add_remark("receptor", result.left_out.receptor);
    add_remark("ligand", result.left_out.ligand);
    return model;
}

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
    return fmt::format("{}/{}_{:04}.{}", folder, set, i + 1, format);
}

void export_models(const docking::DockResult& result, const DockedFiles& docked,
                   const ModelChoice& choice, const ExportRules& rules) {
    const Partners partners = partners_of(result, docked);
    std::vector<ChosenList> lists;
    for (const ChosenList& list : docking::all_lists(result))
        if (choice.has(list.name())) lists.push_back(list);
    io::make_folder(choice.folder);
    for (const ChosenList& list : lists)
        for (std::size_t i = 0; i < choice.of(list.size()); ++i)
            rules.check(choice.path(list.name(), i));
    for (const ChosenList& list : lists)
        for (std::size_t i = 0; i < choice.of(list.size()); ++i) {
            const auto model = posed_model(result, partners, list, i);
            const std::string path = choice.path(list.name(), i);
            choice.format == "cif" ? io::write_mmcif(path, {model})
                                   : io::write_pdb(path, model.remarks, model.parts);
        }
}

}  // namespace tessera::app
