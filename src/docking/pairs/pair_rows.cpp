#include "docking/pairs/pair_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include <nlohmann/json.hpp>

#include "io/files/whole_file.hpp"

namespace tessera::docking {

using Status = PairRow::Status;

RowCounts count(const std::vector<PairRow>& rows) {
    const auto with = [&](Status status) {
        return std::ranges::count(rows, status, &PairRow::status);
    };
    return {with(Status::done), with(Status::failed), with(Status::unfinished)};
}

std::vector<PairRow> look_at_outputs(const PairOutputs& outputs,
                                     const std::vector<DockPair>& pairs) {
    std::vector<PairRow> rows;
    for (const DockPair& pair : pairs) {
        PairRow row;
        try {
            FormerOutput former = look_at_output(outputs, pair);
            if (former.state == FormerOutput::State::finished) row = {Status::done, former.row, {}};
            if (former.state == FormerOutput::State::unusable)
                row = {Status::failed, "", {former.problem, ExitCode::usage}};
        } catch (const Error& error) {
            if (error.code() == ExitCode::requeue) throw;
            row = {Status::failed, "", {error.what(), error.code()}};
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<std::size_t> unfinished_rows(const mpi::Communicator& world,
                                         const std::vector<PairRow>& rows) {
    std::vector<std::int64_t> left;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].status == Status::unfinished) left.push_back(static_cast<std::int64_t>(i));
    world.broadcast(left);
    return {left.begin(), left.end()};
}

void gather_outcomes(const mpi::Communicator& world, const std::vector<PairOutcome>& outcomes,
                     const std::vector<std::size_t>& to_do, std::vector<PairRow>& rows) {
    nlohmann::json mine = nlohmann::json::array();
    for (const PairOutcome& o : outcomes) {
        const PairFailure failure = o.failure.value_or(PairFailure{});
        mine.push_back(
            {o.pair, o.failure.has_value(), failure.reason, static_cast<int>(failure.code), o.row});
    }
    const std::string text = mine.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    world.gather_bytes(std::as_bytes(std::span(text)), [&](int, std::span<const std::byte> bytes) {
        const auto* begin = reinterpret_cast<const char*>(bytes.data());
        for (const auto& item : nlohmann::json::parse(begin, begin + bytes.size())) {
            PairRow& row = rows[to_do[item[0].get<std::size_t>()]];
            row.status = item[1].get<bool>() ? Status::failed : Status::done;
            row.failure = {item[2].get<std::string>(), static_cast<ExitCode>(item[3].get<int>())};
            row.summary = item[4].get<std::string>();
        }
    });
}

void write_summary(const std::string& path, const SummaryFormat& format,
                   const std::vector<DockPair>& pairs, const std::vector<PairRow>& rows) {
    io::WholeFile file(path);
    file.write(format.header() + "\n");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const PairRow& row = rows[i];
        const char* status = row.status == Status::failed ? "failed" : "unfinished";
        file.write((row.status == Status::done
                        ? row.summary
                        : format.row(pairs[i].name, status, row.failure.reason)) +
                   "\n");
    }
    file.commit();
}

void require_all_done(const std::vector<DockPair>& pairs, const std::vector<PairRow>& rows,
                      const std::string& summary_path) {
    const RowCounts counts = count(rows);
    if (counts.unfinished > 0)
        throw Error(
            "stopped before the work was complete",
            fmt::format("a signal asked for it; {} of {} pairs are done", counts.done, rows.size()),
            "start the same command again", ExitCode::requeue);
    if (counts.failed == 0) return;
    const auto first = std::ranges::find(rows, Status::failed, &PairRow::status);
    throw Error(
        fmt::format("{} of {} pairs failed", counts.failed, rows.size()),
        fmt::format("the first is {}", pairs[static_cast<std::size_t>(first - rows.begin())].name),
        "see column reason of '" + summary_path + "'", first->failure.code);
}

}  // namespace tessera::docking
