#include "app/table_command.hpp"

#include <algorithm>
#include <memory>

#include "app/export_rules.hpp"
#include "app/option_checks.hpp"
#include "app/single_result.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "docking/result/pose_table.hpp"
#include "docking/screen/shard_view.hpp"
#include "engine/build_record.hpp"
#include "io/files/input_file.hpp"
#include "io/files/temporary_name.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/parquet/table_file.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/result/star_table.hpp"
#include "likelihood/sample/sample_result.hpp"
#include "orbitals/result/report.hpp"

namespace tessera::app {

namespace {

/// Whether a file is a table of this program, which --force may replace.
bool is_table(const std::string& path) {
    const std::vector<std::vector<std::string>> kinds{
        {"set", "pose", "score"},     {"frame", "label", "spin"},    {"wedge", "file", "star"},
        {"name", "units", "start"},   {"name", "units", "prior"},    {"chain", "draw"},
        {"frame", "point", "x_bohr"}, {"receptor", "ligand", "pose"}};
    const std::string text = io::beginning_of(path);
    return io::is_parquet_table(path) || std::ranges::any_of(kinds, [&](const auto& columns) {
               return text.starts_with(io::csv_beginning(columns) + ",") ||
                      text.starts_with(io::json_beginning(columns.front()));
           });
}

}  // namespace

void TableCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand(
        "table", "Print poses, orbitals, stars, parameters or draws of a result as a table");
    command_->footer("Examples:\n  tessera table run.h5 --rows 10\n"
                     "  tessera table run.h5 --set balanced,vdw -o poses.csv\n"
                     "  tessera table run.h5 --parquet -o poses.parquet\n"
                     "  tessera table fit.h5 --json\n"
                     "  tessera table fit.h5 --stars -o stars.csv\n"
                     "  tessera table posterior.h5 --draws --parquet -o draws.parquet");
    auto& o = *command_;
    o.add_option("file", path_, "result file")->required();
    auto* csv = o.add_flag("--csv", csv_, "print comma-separated values; the default");
    auto* json = o.add_flag("--json", json_, "print JSON: a list with an object for each row")
                     ->excludes(csv);
    auto* output =
        o.add_option("-o,--output", output_, "write the table to this file instead of printing it");
    o.add_flag("--parquet", parquet_, "write Parquet, with the types of all columns; needs -o")
        ->excludes(csv)
        ->excludes(json)
        ->needs(output);
    o.add_option("--set", sets_,
                 "of a docking: coefficient sets, separated by commas, or consensus; default: the "
                 "consensus, or all sets if there is none")
        ->check(not_empty("a name of a set"));
    o.add_option("--pair", pair_,
                 "of poses of a screening: this pair only, by its name RECEPTOR__LIGAND")
        ->check(not_empty("a name of a pair"));
    o.add_flag("--points", points_,
               "of orbitals: the electrostatic potential at the points of the run instead of the "
               "orbitals");
    o.add_flag("--stars", stars_, "of a fit: its stars instead of the fitted parameters");
    o.add_flag("--draws", draws_, "of a sampling: all draws instead of the parameters");
    o.add_option("--rows", rows_,
                 "largest number of rows of each set, frame, wedge or pair; default: all")
        ->check(whole_number<std::int64_t>(1))
        ->capture_default_str()
        ->default_str("");
    o.add_flag("--force", force_, "replace a table that this command wrote");
}

io::ValueTable TableCommand::read_table(const io::h5::Group& root) const {
    const auto workload = root.read_attribute<std::string>("workload");
    if (!sets_.empty() && workload != "dock")
        throw Error("--set: '" + path_ + "' has no coefficient sets", "its workload is " + workload,
                    "leave --set out");
    if (stars_ && workload != "fit" && workload != "likelihood")
        throw Error("--stars: '" + path_ + "' has no stars", "its workload is " + workload,
                    "leave --stars out");
    if (draws_ && workload != "sample")
        throw Error("--draws: '" + path_ + "' has no draws", "its workload is " + workload,
                    "leave --draws out");
    if (!pair_.empty() && workload != "screen")
        throw Error("--pair: '" + path_ + "' is no file of poses of a screening",
                    "its workload is " + workload, "leave --pair out");
    if (points_ && workload != "orbital")
        throw Error("--points: '" + path_ + "' has no points", "its workload is " + workload,
                    "leave --points out");
    if (workload == "screen")
        return docking::shard_table(
            std::make_shared<const docking::PoseShard>(docking::read_shard(root)), pair_, rows_);
    if (workload == "dock") return docking::pose_table(root, sets_, rows_);
    if (workload == "orbital") {
        orbitals::OrbitalResult result = orbitals::read_without_nuclei(root);
        if (points_ || (result.labels.empty() && result.points > 0))
            return orbitals::point_table(root, rows_);
        if (result.labels.empty())
            throw Error("'" + path_ + "' holds no orbitals", "the run computed other fields only",
                        "see tessera info " + path_);
        return orbitals::orbital_table(std::move(result), rows_);
    }
    if (workload == "fit" && !stars_)
        return likelihood::parameter_table(likelihood::read_fit_result(root), rows_);
    if (workload == "sample" && draws_) return likelihood::draw_table(root, rows_);
    if (workload == "sample")
        return likelihood::sample_table(likelihood::read_sample_result(root), rows_);
    if (workload == "likelihood" || stars_) return likelihood::star_table(root, rows_);
    throw Error("there is no table of '" + path_ + "'", "its workload is " + workload,
                "give a result of tessera dock, screen, orbital, likelihood, fit or sample");
}

void TableCommand::write(const io::ValueTable& table, const io::TextSink& sink) const {
    if (parquet_) return io::write_parquet(table, engine::program_version(), sink);
    json_ ? io::write_json(table, sink) : io::write_csv(table, sink);
}

int TableCommand::run() const {
    refuse_folder(path_, "a table");
    refuse_pairs_summary(path_, "a table");
    const auto file = io::open_result(path_);
    if (command_->count("--output") > 0) ExportRules{force_, {path_}}.check(output_, is_table);
    const io::ValueTable table = read_table(file.root());
    if (command_->count("--output") == 0) {
        write(table, [](std::string_view text) { print_text(stdout, text); });
        return 0;
    }
    io::remove_abandoned(output_);
    io::WholeFile output(output_);
    write(table, [&](std::string_view text) { output.write(text); });
    output.commit();
    return 0;
}

}  // namespace tessera::app
