#include "docking/pairs/pair_ledger.hpp"

#include <utility>

#include "io/files/whole_file.hpp"

namespace tessera::docking {

using Status = PairRow::Status;

PairLedger::PairLedger(LedgerFiles files, const std::vector<DockPair>& pairs,
                       std::vector<PairRow>& rows)
    : files_(std::move(files)), pairs_(pairs), rows_(rows) {}

void PairLedger::begin() {
    write_rows(false);
    lines_ = std::make_unique<io::LineFile>(files_.summary_path);
}

void PairLedger::enter(std::size_t row, const PairOutcome& outcome) {
    PairRow& entry = rows_[row];
    entry.status = outcome.failure ? Status::failed : Status::done;
    entry.failure = outcome.failure.value_or(PairFailure{});
    entry.summary = outcome.written.row;
    if (!outcome.failure) files_.manifest->add(pairs_[row].name, outcome.written);
    if (lines_) lines_->append(summary_line(files_.format, pairs_[row], entry));
}

void PairLedger::finish() {
    if (lines_) lines_->close();
    lines_.reset();
    write_rows(true);
}

void PairLedger::write_rows(bool unfinished_too) {
    io::WholeFile file(files_.summary_path);
    file.write(files_.format.header() + "\n");
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (unfinished_too || rows_[i].status != Status::unfinished)
            file.write(summary_line(files_.format, pairs_[i], rows_[i]) + "\n");
    file.sync();
    file.commit();
}

}  // namespace tessera::docking
