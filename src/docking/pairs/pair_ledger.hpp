// The books of a run over many pairs, which rank 0 keeps while the run goes on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "docking/pairs/pair_list.hpp"
#include "docking/pairs/pair_manifest.hpp"
#include "docking/pairs/pair_output.hpp"
#include "docking/pairs/pair_rows.hpp"
#include "io/files/line_file.hpp"

namespace tessera::docking {

/// Where the books are written.
struct LedgerFiles {
    std::string summary_path;
    SummaryFormat format;
    PairManifest* manifest = nullptr;
};

/// Enters the pairs that end into the rows, the summary and the manifest. While the run goes on,
/// the summary holds the rows that are done or have failed, in the order in which they ended. At
/// the end it holds all rows in the order of the table. Failures throw Error with
/// ExitCode::resources.
class PairLedger {
  public:
    /// The pairs and rows must outlive the ledger.
    PairLedger(LedgerFiles files, const std::vector<DockPair>& pairs, std::vector<PairRow>& rows);

    /// Writes the summary of what earlier runs have left, in place of an older summary.
    void begin();
    /// The pair of this row has ended. A line of the summary is handed to the system at once.
    void enter(std::size_t row, const PairOutcome& outcome);
    /// Writes the whole summary and brings it to the disk.
    void finish();

  private:
    void write_rows(bool unfinished_too);

    LedgerFiles files_;
    const std::vector<DockPair>& pairs_;
    std::vector<PairRow>& rows_;
    std::unique_ptr<io::LineFile> lines_;  ///< while the run goes on
};

}  // namespace tessera::docking
