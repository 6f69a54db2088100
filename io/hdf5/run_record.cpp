#include "io/hdf5/run_record.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "io/hdf5/result_values.hpp"
#include "io/text/counted.hpp"

namespace tessera::io {

namespace {

using Kind = h5::Column::Kind;

const std::vector<h5::Column>& rank_columns() {
    static const std::vector<h5::Column> columns{
        {"host", Kind::text, offsetof(RankRecord, host), sizeof(RankRecord::host), ""},
        {"device", Kind::text, offsetof(RankRecord, device), sizeof(RankRecord::device), ""},
        {"backend", Kind::text, offsetof(RankRecord, backend), sizeof(RankRecord::backend), ""},
        {"tiles_done", Kind::integer, offsetof(RankRecord, tiles_done), 0, ""},
        {"busy_seconds", Kind::real, offsetof(RankRecord, busy_seconds), 0, "s"},
        {"retries", Kind::integer, offsetof(RankRecord, retries), 0, ""},
        {"waiting_seconds", Kind::real, offsetof(RankRecord, waiting_seconds), 0, "s"},
        {"fate", Kind::text, offsetof(RankRecord, fate), sizeof(RankRecord::fate), ""}};
    return columns;
}

const std::vector<h5::Column>& phase_columns() {
    static const std::vector<h5::Column> columns{
        {"name", Kind::text, offsetof(PhaseRecord, name), sizeof(PhaseRecord::name), ""},
        {"seconds", Kind::real, offsetof(PhaseRecord, seconds), 0, "s"}};
    return columns;
}

const std::vector<h5::Column>& retry_columns() {
    static const std::vector<h5::Column> columns{
        {"tile", Kind::integer, offsetof(RetryRecord, tile), 0, ""},
        {"rank", Kind::integer, offsetof(RetryRecord, rank), 0, ""},
        {"reason", Kind::text, offsetof(RetryRecord, reason), sizeof(RetryRecord::reason), ""},
        {"detail", Kind::text, offsetof(RetryRecord, detail), sizeof(RetryRecord::detail), ""},
        {"outcome", Kind::text, offsetof(RetryRecord, outcome), sizeof(RetryRecord::outcome), ""}};
    return columns;
}

template <class Row>
void write_rows(h5::Group& group, const std::string& name, const std::vector<Row>& rows,
                const std::vector<h5::Column>& columns) {
    group.write_table(name, rows.data(), sizeof(Row), rows.size(), columns);
}

/// Throws Error unless the counts and times of a run are finite and not negative.
void require_counts(const h5::Group& run, const char* table, std::initializer_list<double> values) {
    for (const double value : values)
        if (!(value >= 0 && std::isfinite(value)))
            run.refuse("'" + run.name() + "/" + table + "'",
                       "a count or a time in it is " + std::to_string(value));
}

// An attribute holds about four thousand texts at most, and each frame of a trajectory may give a
// warning.
std::vector<std::string> first_of(std::vector<std::string> warnings) {
    constexpr std::size_t most = 1000;
    if (warnings.size() <= most) return warnings;
    const std::string rest = counted(warnings.size() - most, "more warning");
    warnings.resize(most);
    warnings.push_back(rest);
    return warnings;
}

}  // namespace

void write_run_record(h5::Group root, const RunRecord& record) {
    h5::Group run = root.group("run");
    run.write_attribute("command_line", record.command_line);
    run.write_attribute("input", record.input);
    run.write_attribute("input_sha256", record.input_sha256);
    if (!record.config.empty()) run.write_attribute("config", record.config);
    if (!record.no_command.empty()) run.write_attribute("no_command", record.no_command);
    run.write_attribute("build", record.build);
    run.write_attribute("tiles_total", record.tiles_total);
    run.write_attribute("tiles_resumed", record.tiles_resumed);
    run.write_attribute("resumed_devices", record.resumed_devices);
    run.write_attribute("device_kinds", record.device_kinds);
    run.write_attribute("warnings", first_of(record.warnings));
    write_rows(run, "ranks", record.ranks, rank_columns());
    write_rows(run, "phases", record.phases, phase_columns());
    write_rows(run, "retries", record.retries, retry_columns());
}

RunRecord read_run_record(const h5::Group& root) {
    const h5::Group run = root.open_group("run");
    RunRecord record;
    record.command_line = run.read_attribute<std::string>("command_line");
    record.input = run.read_attribute<std::string>("input");
    record.input_sha256 = run.read_attribute<std::string>("input_sha256");
    record.build = run.read_attribute<std::string>("build");
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    record.tiles_total = attribute_within(run, "tiles_total", 0, any);
    record.tiles_resumed = attribute_within(run, "tiles_resumed", 0, any);
    if (run.has_attribute("resumed_devices"))
        record.resumed_devices = run.read_attribute<std::string>("resumed_devices");
    if (run.has_attribute("device_kinds"))
        record.device_kinds = run.read_attribute<std::string>("device_kinds");
    if (run.has_attribute("warnings"))
        record.warnings = run.read_attributes<std::string>("warnings");
    record.ranks = run.open_dataset("ranks").read_table<RankRecord>(rank_columns());
    record.phases = run.open_dataset("phases").read_table<PhaseRecord>(phase_columns());
    record.retries = run.open_dataset("retries").read_table<RetryRecord>(retry_columns());
    for (const RankRecord& rank : record.ranks)
        require_counts(run, "ranks",
                       {static_cast<double>(rank.tiles_done), rank.busy_seconds,
                        static_cast<double>(rank.retries), rank.waiting_seconds});
    for (const PhaseRecord& phase : record.phases) require_counts(run, "phases", {phase.seconds});
    return record;
}

}  // namespace tessera::io
