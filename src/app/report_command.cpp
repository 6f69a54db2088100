#include "app/report_command.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/export_rules.hpp"
#include "app/info_json.hpp"
#include "app/report/docking_report.hpp"
#include "app/report/orbital_report.hpp"
#include "app/report/page.hpp"
#include "app/report/screening_report.hpp"
#include "app/report/stream_report.hpp"
#include "app/single_result.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "docking/result/pose_table.hpp"
#include "docking/screen/screen_description.hpp"
#include "docking/screen/screen_progress.hpp"
#include "docking/screen/shard_view.hpp"
#include "io/files/input_file.hpp"
#include "io/files/temporary_name.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/result_file.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/sample/sample_result.hpp"
#include "orbitals/result/report.hpp"

namespace tessera::app {

namespace {

using io::h5::Group;
using Json = nlohmann::ordered_json;

bool is_report(const std::string& path) {
    return io::beginning_of(path).find(report_mark) != std::string::npos;
}

/// What tessera info says, without the names of hosts and of the file: the page is for others.
Json facts_of(const Group& root) {
    Json facts = Json::parse(result_json(root));
    facts.erase("file");
    for (Json& rank : facts["run"]["ranks"]) rank.erase("host");
    return facts;
}

Json value_of(const io::Cell& cell) {
    return std::visit(
        [](const auto& value) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
                return nullptr;
            else
                return value;
        },
        cell);
}

/// The last part of a path, also of a folder that ends with a slash.
std::string name_of(const std::string& path) {
    const auto whole = std::filesystem::absolute(path).lexically_normal();
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

constexpr std::int64_t most = 100;  ///< rows of the table

/// The first rows of what io::write_json() writes.
Json rows_of(const io::ValueTable& table) {
    Json rows = Json::array();
    for (std::int64_t i = 0; i < std::min(most, table.rows); ++i) {
        const std::vector<io::Cell> cells = table.row(i);
        Json::object_t row;
        for (std::size_t c = 0; c < cells.size(); ++c)
            row.emplace(table.columns[c].name, value_of(cells[c]));
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The first rows of tessera table, for the workloads but docking that have one of interest.
Json table_of(const Group& root, const std::string& workload) {
    if (workload == "fit")
        return rows_of(likelihood::parameter_table(likelihood::read_fit_result(root), most));
    if (workload == "sample")
        return rows_of(likelihood::sample_table(likelihood::read_sample_result(root), most));
    if (workload == docking::screen_workload)
        return rows_of(docking::shard_table(
            std::make_shared<const docking::PoseShard>(docking::read_shard(root)), "", 1));
    if (workload != "orbital") return Json::array();
    orbitals::OrbitalResult result = orbitals::read_without_nuclei(root);
    if (result.labels.empty() && result.points > 0)
        return rows_of(orbitals::point_table(root, most));
    if (result.labels.empty()) return Json::array();
    return rows_of(orbitals::orbital_table(std::move(result), most));
}

/// Adds table and poses of a docking, which are read once.
void add_docking(Json& data, const Group& root) {
    const auto result = std::make_shared<docking::DockResult>(docking::read_dock_result(root));
    data["table"] = rows_of(docking::pose_table(root, result, "", most));
    data["docking"] = docking_report(root, *result);
}

Json report_of(const Group& root) {
    const auto workload = root.read_attribute<std::string>("workload");
    Json data{{"facts", facts_of(root)}};
    if (workload == "dock") {
        add_docking(data, root);
        return data;
    }
    data["table"] = table_of(root, workload);
    if (workload == "orbital") data["orbital"] = orbital_report(root);
    if (workload == "fit") data["fit"] = fit_report(root);
    if (workload == "sample") data["sample"] = sample_report(root);
    if (workload == "fit" || workload == "likelihood") data["wedges"] = wedges_report(root);
    return data;
}

/// What the folder and the first of its shards say of the run.
Json facts_of_screening(const std::string& folder, const docking::ScreenDescription& screen) {
    Json facts{{"version", screen.version},
               {"created", ""},
               {"run",
                {{"command_line", "tessera screen --config screen.toml"},
                 {"input", Json::parse(screen.options)},
                 {"build", {{"git_revision", screen.revision}}},
                 {"ranks", Json::array()},
                 {"phases", Json::array()},
                 {"warnings", Json::array()}}}};
    const docking::ShardLayout layout = screen.layout();
    for (std::size_t s = layout.shards().first; s < layout.shards().last; ++s) {
        const std::string path = docking::shard_path(folder, s);
        if (!std::filesystem::exists(path)) continue;
        facts = facts_of(io::open_result(path).root());
        facts["run"].erase("input_sha256");  // that of the shard alone
        facts.erase("screen");
        break;
    }
    facts["workload"] = "screening";
    const std::string table = (std::filesystem::path(folder) / "screen.csv").string();
    if (!std::filesystem::exists(table + ".partial"))  // otherwise it grows
        facts["table_sha256"] = io::sha256_of_file(table);
    return facts;
}

Json report_of_screening(const std::string& folder, const docking::ScreenDescription& screen) {
    Json data{{"facts", facts_of_screening(folder, screen)}};
    data["screening"] = screening_report(folder);
    data["screening"]["part"] = screen.part.text();
    return data;
}

/// The data of the page. `check` is called when the path is known to be a result.
Json data_of(const std::string& path, const std::function<void()>& check) {
    if (std::filesystem::is_directory(path))
        if (const auto screen = docking::read_description(path)) {
            check();
            return report_of_screening(path, *screen);
        }
    refuse_folder(path, "a report");
    refuse_pairs_summary(path, "a report");
    const auto file = io::open_result(path);
    check();
    return report_of(file.root());
}

}  // namespace

void ReportCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand(
        "report", "Write a page about a result: tables, plots and a 3-D view, for any browser");
    command_->footer("Examples:\n  tessera report run.h5 -o run.html\n"
                     "  tessera report screening/ -o screening.html");
    auto& o = *command_;
    o.add_option("file", path_, "result file, or the folder of a screening")->required();
    o.add_option("-o,--output", output_, "HTML file to write; it needs no other file")->required();
    o.add_flag("--force", force_, "replace a report");
}

int ReportCommand::run() const {
    const Json data = data_of(path_, [&] {
        ExportRules{force_, {path_}}.check(output_, is_report);
    });
    io::remove_abandoned(output_);
    io::WholeFile output(output_);
    write_page(name_of(path_), data, [&](std::string_view text) { output.write(text); });
    output.commit();
    print_line(stdout, "written: " + output_);
    return 0;
}

}  // namespace tessera::app
