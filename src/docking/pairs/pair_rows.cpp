#include "docking/pairs/pair_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "docking/pairs/byte_packer.hpp"
#include "io/text/agreeing.hpp"
#include "io/text/counted.hpp"

namespace tessera::docking {

using Status = PairRow::Status;

RowCounts count(const std::vector<PairRow>& rows) {
    const auto with = [&](Status status) {
        return std::ranges::count(rows, status, &PairRow::status);
    };
    return {with(Status::done), with(Status::failed), with(Status::unfinished)};
}

std::vector<std::size_t> unfinished_rows(const mpi::Communicator& world,
                                         const std::vector<PairRow>& rows) {
    std::vector<std::int64_t> left;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].status == Status::unfinished) left.push_back(static_cast<std::int64_t>(i));
    world.broadcast(left);
    return {left.begin(), left.end()};
}

PairSettled settled_mail(PairOutcome outcome) {
    return {outcome.pair, outcome.failure.has_value(), outcome.failure.value_or(PairFailure{}),
            std::move(outcome.written)};
}

PairOutcome outcome_of(PairSettled mail) {
    PairOutcome outcome{mail.pair, std::nullopt, std::move(mail.written)};
    if (mail.failed) outcome.failure = std::move(mail.failure);
    return outcome;
}

void gather_outcomes(const mpi::Communicator& world, const std::vector<PairOutcome>& outcomes,
                     const std::function<void(const PairOutcome& outcome)>& enter) {
    BytePacker packer;
    packer(std::uint64_t{outcomes.size()});
    for (const PairOutcome& outcome : outcomes) packer(packed(settled_mail(outcome)));
    world.gather_bytes(packer.bytes(), [&](int, std::span<const std::byte> bytes) {
        ByteUnpacker unpacker(bytes);
        std::uint64_t count = 0;
        unpacker(count);
        for (; count > 0; --count) {
            std::vector<std::byte> mail;
            unpacker(mail);
            enter(outcome_of(std::get<PairSettled>(unpacked(mail))));
        }
        unpacker.require_end();
    });
}

std::string summary_line(const SummaryFormat& format, const std::string& name, const PairRow& row) {
    if (row.status == Status::done) return row.summary;
    const char* status = row.status == Status::failed ? "failed" : "unfinished";
    return format.row(name, status, row.failure.reason);
}

void require_all_done(const PairSource& pairs, const std::vector<PairRow>& rows,
                      const std::string& summary_path) {
    const RowCounts counts = count(rows);
    if (counts.unfinished > 0)
        throw Error("stopped before the work was complete",
                    fmt::format("a signal asked for it; {} of {} {} done", counts.done,
                                io::counted(rows.size(), "pair"),
                                io::agreeing(counts.done, "is", "are")),
                    "start the same command again", ExitCode::requeue);
    if (counts.failed == 0) return;
    const auto first = std::ranges::find(rows, Status::failed, &PairRow::status);
    throw Error(
        fmt::format("{} of {} failed", counts.failed, io::counted(rows.size(), "pair")),
        fmt::format("the first is {}", pairs.name(static_cast<std::size_t>(first - rows.begin()))),
        "see column reason of '" + summary_path + "'", first->failure.code);
}

}  // namespace tessera::docking
