#include "app/rescore_command.hpp"

#include <filesystem>
#include <optional>

#include "app/config_file.hpp"
#include "app/option_checks.hpp"
#include "app/single_result.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "docking/result/report.hpp"
#include "docking/result/rescore.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/build_record.hpp"
#include "io/files/sha256.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/text/one_line.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::app {

namespace {

constexpr const char* docking_command = "docking_command_line";

void require_docking(const io::h5::Group& root) {
    const auto workload = root.read_attribute<std::string>("workload");
    if (workload != "dock")
        throw Error("'" + root.file() + "' holds no poses", "its workload is " + workload,
                    "give the output of tessera dock");
}

/// Throws Error if a partner is not the file that was docked.
void require_same_partners(const docking::PreparedDocking& prepared,
                           const docking::DockResult& result) {
    const auto require = [](const char* partner, const io::Structure& read,
                            const std::string& sha256) {
        if (read.sha256 != sha256)
            throw Error("cannot place the " + std::string(partner),
                        "'" + read.path + "' is not the file that was docked",
                        "give the docked file with --" + std::string(partner) + ", or dock again");
    };
    require("receptor", prepared.receptor_structure, result.receptor_sha256);
    require("ligand", prepared.ligand_structure, result.ligand_sha256);
}

/// Hash of the options, of the docking that found the poses, and of the files that this command
/// reads.
std::string hash_of(const docking::DockInput& input, const docking::FileHashes& files,
                    const std::string& docking, const docking::RescoreRequest& request) {
    std::string text = docking::to_json(input) + docking;
    const std::string& weights = input.consensus.rescoring;
    if (request.weights)
        text += docking::is_built_in_rescoring(weights) ? weights : files.at(weights);
    if (!input.reference_path.empty()) text += files.at(input.reference_path);
    return io::sha256_of(text);
}

std::string docked_by(const io::h5::Group& root, const io::RunRecord& record) {
    const auto run = root.open_group("run");
    return run.has_attribute(docking_command) ? run.read_attribute<std::string>(docking_command)
                                              : record.command_line;
}

}  // namespace

void RescoreCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("rescore",
                                  "Recompute the consensus of a docking run without docking again");
    command_->footer(
        "Examples:\n  tessera rescore run.h5 --cluster-radius 6 -o run6.h5\n"
        "  tessera rescore all.h5 --rescoring mine.csv --duplicate-radius 5 -o mine.h5\n"
        "      (all.h5 must have been docked with --duplicate-radius 0)\n"
        "The docked files are not needed: the result holds their atoms.");
    auto& o = *command_;
    o.add_option("file", path_, "result of tessera dock with refined poses")->required();
    o.add_option("-o,--output", output_, "HDF5 file to write")->required();
    o.add_option(
        "--rescoring", rescoring_,
        "weights that score refined poses: general, antibody, nucleic or a CSV table; default: "
        "those of the run");
    o.add_option(
        "--duplicate-radius", duplicate_radius_,
        "drop a refined pose that is nearer than this to a better one, in Angstrom; default: that "
        "of the run");
    o.add_option("--repack", repack_,
                 "number of best refined poses whose side chains are repacked at the interface "
                 "before they are ranked; 0: none; default: that of the run");
    o.add_option("--cluster-radius", cluster_radius_,
                 "cluster radius in Angstrom; default: that of the run");
    o.add_option("--clusters", clusters_, "largest number of clusters; default: that of the run")
        ->check(whole_number<std::size_t>());
    o.add_option("--reference", reference_,
                 "known complex; the result tells how near each pose comes to it");
    o.add_option("--receptor", receptor_, "the docked receptor file, if it has moved");
    o.add_option("--ligand", ligand_, "the docked ligand file, if it has moved");
    o.add_option("--pair-potential", pair_potential_,
                 "the contact-energy table of the docking, if its file has moved");
    o.add_option("--report", report_, "poses of each set in the closing table")
        ->check(whole_number<int>());
    declare_config_option(o);
    o.add_flag("--force", force_, "replace an existing output");
    o.add_flag("--quiet", quiet_, "print errors only");
}

bool RescoreCommand::asks_for_something() const {
    return !rescoring_.empty() || !reference_.empty() || duplicate_radius_ || cluster_radius_ ||
           clusters_ || repack_;
}

docking::DockInput RescoreCommand::changed(docking::DockInput input) const {
    const auto change = [](std::string& value, const std::string& typed) {
        if (!typed.empty()) value = typed;
    };
    change(input.receptor_path, receptor_);
    change(input.ligand_path, input.symmetry.is_set() ? receptor_ : ligand_);
    change(input.reference_path, reference_);
    change(input.pair_potential, pair_potential_);
    change(input.consensus.rescoring, rescoring_);
    input.consensus.duplicate_radius = duplicate_radius_.value_or(input.consensus.duplicate_radius);
    input.consensus.repack = repack_.value_or(input.consensus.repack);
    input.clustering.radius = cluster_radius_.value_or(input.clustering.radius);
    input.clustering.clusters = clusters_.value_or(input.clustering.clusters);
    docking::validate(input);
    return input;
}

docking::StoredStructures RescoreCommand::stored_in(const docking::DockResult& result,
                                                    const docking::DockInput& input) const {
    const auto atoms_of = [&](const char* partner, const std::string& path, bool is_named,
                              io::Structure docking::Partners::*structure,
                              const std::string& sha256) -> std::optional<io::Structure> {
        if (is_named || std::filesystem::exists(path)) return std::nullopt;
        if (!result.partners)
            throw Error("cannot place the " + std::string(partner),
                        "'" + io::one_line(path) + "' does not exist, and '" + io::one_line(path_) +
                            "' does not hold its atoms, as those of earlier versions",
                        "give the docked file with --" + std::string(partner));
        io::Structure stored = *result.partners.*structure;
        stored.path = path;
        stored.sha256 = sha256;
        return stored;
    };
    return {atoms_of("receptor", input.receptor_path, !receptor_.empty(),
                     &docking::Partners::receptor, result.receptor_sha256),
            atoms_of("ligand", input.ligand_path, !ligand_.empty(), &docking::Partners::ligand,
                     result.ligand_sha256),
            result.left_out.receptor, result.left_out.ligand,
            result.ensemble.value_or(docking::Ensemble{})};
}

void RescoreCommand::write(const docking::DockResult& result, const io::RunRecord& record,
                           const std::string& docked) const {
    io::ResultFile out(output_, "dock", engine::program_version(), force_);
    docking::write_dock_result(out.root(), result);
    io::write_run_record(out.root(), record);
    io::h5::Group run = out.root().open_group("run");
    run.write_attribute(docking_command, docked);
    run.write_attribute("command", std::string("rescore"));
    const std::string table = docking::report_table(result, static_cast<std::size_t>(report_));
    out.commit();
    if (quiet_) return;
    print_text(stdout, table + "\n");
    print_line(stdout, "written: " + output_);
}

int RescoreCommand::run(const std::string& command_line) const {
    if (!asks_for_something())
        throw Error(
            "nothing to recompute", "no option changes the consensus",
            "give --rescoring, --duplicate-radius, --repack, --cluster-radius, --clusters or "
            "--reference");
    io::keep_source(output_, path_);
    refuse_pairs_summary(path_, "a rescored consensus");
    const auto file = io::open_result(path_);
    const auto root = file.root();
    require_docking(root);
    io::RunRecord record = io::read_run_record(root);
    const docking::DockInput former = docking::input_from_json(record.input, path_);
    const docking::DockInput input = changed(former);
    for (const std::string& path : docking::input_files(input)) io::keep_source(output_, path);
    io::check_output_path(output_, force_);
    const docking::RescoreRequest request{!rescoring_.empty(), duplicate_radius_.has_value(),
                                          repack_.has_value()};
    docking::DockResult result = docking::read_dock_result(root);
    docking::require_rescorable(path_, former, result, request);
    const std::string docked = docked_by(root, record);
    std::optional<kernels::DeviceRuntime> device;
    if (docking::repacks(input, request)) device.emplace(kernels::DeviceRequest{.device = "cpu"});
    result = record.time_phase("rescore", [&] {
        const auto prepared = docking::prepare_rescoring(
            input, result.frame, request.weights || device, stored_in(result, input));
        require_same_partners(prepared, result);
        record.input_sha256 = hash_of(input, prepared.files, record.input_sha256, request);
        expected_.check(record.input_sha256);
        return docking::rescored(input, prepared, std::move(result), request);
    });
    record.input = docking::to_json(input);
    record.command_line = command_line;
    record.config = config_text(*command_);
    record.build = engine::build_record();
    write(result, record, docked);
    return 0;
}

}  // namespace tessera::app
