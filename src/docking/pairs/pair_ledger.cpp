#include "docking/pairs/pair_ledger.hpp"

#include <utility>

#include "io/files/whole_file.hpp"

namespace tessera::docking {

using Status = PairRow::Status;

PairLedger::PairLedger(LedgerFiles files, const PairSource& pairs, std::vector<PairRow>& rows)
    : files_(std::move(files)), pairs_(pairs), rows_(rows) {}

void PairLedger::begin() {
    write_rows(files_.lines, false);
    lines_ = std::make_unique<io::LineFile>(files_.summary_path);
}

void PairLedger::enter(std::size_t row, const PairOutcome& outcome) {
    PairRow& entry = rows_[row];
    entry.status = outcome.failure ? Status::failed : Status::done;
    entry.failure = outcome.failure.value_or(PairFailure{});
    entry.summary = outcome.written.row;
    if (!outcome.failure) files_.manifest->add(pairs_.name(row), outcome.written);
    if (lines_) lines_->append(files_.lines.line(row, entry));
    if (files_.entered) files_.entered(row, outcome);
}

void PairLedger::finish(const SummaryLines& lines) {
    if (lines_) lines_->close();
    lines_.reset();
    write_rows(lines, true);
}

void PairLedger::write_rows(const SummaryLines& lines, bool unfinished_too) {
    io::WholeFile file(files_.summary_path);
    file.write(lines.header + "\n");
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (unfinished_too || rows_[i].status != Status::unfinished)
            file.write(lines.line(i, rows_[i]) + "\n");
    file.sync();
    file.commit();
}

}  // namespace tessera::docking
