// What an mmCIF file says about where its coordinates come from. Includes gemmi: only readers of
// mmCIF include it.
#pragma once

#include <cstdint>  // gemmi uses its types without it
#include <map>
#include <string>
#include <utility>

#include <gemmi/cifdoc.hpp>

#include "io/proteins/file_origin.hpp"

namespace tessera::io {

/// The pLDDT of residues in a ModelCIF file, by label_asym_id and label_seq_id.
class LocalPlddt {
  public:
    /// Keeps the first value of a residue, which is that of the first model.
    void add(const std::string& chain, const std::string& number, double value) {
        values_.emplace(std::pair(chain, number), value);
    }
    bool empty() const { return values_.empty(); }
    /// NaN if the file gives none.
    double of(const std::string& chain, const std::string& number) const;

  private:
    std::map<std::pair<std::string, std::string>, double> values_;
};

/// Reads _ma_qa_metric_local. Takes only metrics that _ma_qa_metric names pLDDT: other programs
/// describe scores of their own there (SWISS-MODEL: QMEANDisCo).
LocalPlddt local_plddt_of(gemmi::cif::Block& block);

/// Looks at _ma_qa_metric, _entry.id, _struct.title, _software.name, _ma_model_list, _exptl.method,
/// _refine and _cell.
FileOrigin origin_of(gemmi::cif::Block& block);

}  // namespace tessera::io
