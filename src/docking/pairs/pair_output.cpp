#include "docking/pairs/pair_output.hpp"

#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "docking/pairs/pair_config.hpp"
#include "io/files/temporary_name.hpp"
#include "io/hdf5/result_file.hpp"

namespace tessera::docking {

namespace fs = std::filesystem;

std::string PairOutputs::path(const DockPair& pair) const {
    return (fs::path(folder) / (pair.name + ".h5")).string();
}

namespace {

void write_origin(io::h5::Group run, const PairOutputs& outputs, const DockPair& pair,
                  const std::string& config) {
    run.write_attribute("pairs_table", outputs.table);
    run.write_attribute("pairs_row", static_cast<std::int64_t>(pair.line));
    if (!config.empty()) run.write_attribute("pairs_config", config);
}

}  // namespace

WrittenPair write_pair(const PairOutputs& outputs, const DockPair& pair,
                       const PreparedDocking& prepared, SortedPoses sorted, io::RunRecord record) {
    DockResult result = record.time_phase("cluster and evaluate", [&] {
        return finish_result(pair.input, prepared, std::move(sorted));
    });
    const std::string config = std::exchange(record.config, config_of_pair(record.config, pair));
    record.input = to_json(pair.input);
    record.input_sha256 = prepared.input_sha256;
    record.warnings = prepared.warnings;
    const std::string path = outputs.path(pair);
    io::ResultFile file(path, "dock", outputs.version, outputs.force,
                        {io::temporary_name(path, io::mark_of_result)});
    write_dock_result(file.root(), result);
    io::write_run_record(file.root(), record);
    write_origin(file.root().open_group("run"), outputs, pair, config);
    WrittenPair written{outputs.summary.row(pair.name, file.root()),
                        {},
                        prepared.input_sha256,
                        input_records(prepared)};
    file.commit();
    if (const auto status = io::file_status(outputs.path(pair))) written.file = status->stamp;
    return written;
}

namespace {

/// The git revision of the program that wrote the file. Empty if the file does not say.
std::string revision_of(const io::h5::Group& run) {
    const auto build =
        nlohmann::json::parse(run.read_attribute<std::string>("build"), nullptr, false);
    return build.is_object() && build.contains("git_revision") && build["git_revision"].is_string()
               ? build["git_revision"].get<std::string>()
               : "";
}

/// Whether the file is the complete result of this input, written by this revision of the program.
bool is_result_of(const io::h5::Group& root, const PairOutputs& outputs,
                  const std::string& input_sha256) {
    if (!root.has_attribute("complete") || root.read_attribute<std::uint8_t>("complete") != 1 ||
        root.read_attribute<std::string>("workload") != "dock" ||
        root.read_attribute<std::string>("version") != outputs.version)
        return false;
    const io::h5::Group run = root.open_group("run");
    return revision_of(run) == outputs.revision &&
           run.read_attribute<std::string>("input_sha256") == input_sha256;
}

}  // namespace

std::optional<std::string> finished_row(const PairOutputs& outputs, const DockPair& pair,
                                        const std::string& input_sha256) {
    const io::h5::File file = io::h5::File::open(outputs.path(pair));
    if (!is_result_of(file.root(), outputs, input_sha256)) return std::nullopt;
    return outputs.summary.row(pair.name, file.root());
}

}  // namespace tessera::docking
