// The books of a run over many pairs, which rank 0 keeps while the run goes on.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "docking/pairs/pair_manifest.hpp"
#include "docking/pairs/pair_rows.hpp"
#include "docking/pairs/pair_source.hpp"
#include "io/files/line_file.hpp"

namespace tessera::docking {

/// The lines of a summary.
struct SummaryLines {
    std::string header;
    std::function<std::string(std::size_t row, const PairRow& entry)> line;
};

/// Where the books are written.
struct LedgerFiles {
    std::string summary_path;
    SummaryLines lines;
    PairManifest* manifest = nullptr;
    /// Called for each pair that has ended, when it is entered.
    std::function<void(std::size_t row, const PairOutcome& outcome)> entered = {};
};

/// Enters the pairs that end into the rows, the summary and the manifest. While the run goes on,
/// the summary holds the rows that are done or have failed, in the order in which they ended. At
/// the end it holds all rows in the order of the table. Failures throw Error with
/// ExitCode::resources.
class PairLedger {
  public:
    /// The pairs and rows must outlive the ledger.
    PairLedger(LedgerFiles files, const PairSource& pairs, std::vector<PairRow>& rows);

    /// Writes the summary of what earlier runs have left, in place of an older summary.
    void begin();
    /// The pair of this row has ended. A line of the summary is handed to the system at once.
    void enter(std::size_t row, const PairOutcome& outcome);
    /// Writes the whole summary and brings it to the disk.
    void finish() { finish(files_.lines); }
    /// The same with other lines.
    void finish(const SummaryLines& lines);

  private:
    void write_rows(const SummaryLines& lines, bool unfinished_too);

    LedgerFiles files_;
    const PairSource& pairs_;
    std::vector<PairRow>& rows_;
    std::unique_ptr<io::LineFile> lines_;  ///< while the run goes on
};

}  // namespace tessera::docking
