// The pLDDT of predicted models: AlphaFold's confidence in each residue (Jumper et al. 2021).
#pragma once

#include <string>
#include <vector>

namespace tessera::io {

struct AtomRecord;
struct FileOrigin;

/// The pLDDT of a structure, or the reason why it has none.
struct Plddt {
    /// Of each residue (AtomRecord::residue_index), from 0 to 100. NaN where a table of the file
    /// leaves out the residue. Empty if there is no pLDDT.
    std::vector<double> values;
    std::string source;   ///< how it was recognised: "the B column, as TITLE names AlphaFold"
    std::string problem;  ///< if there is none: why
    /// The B column could hold pLDDT, but the file does not say that it is a predicted model.
    bool may_be = false;
};

/// Takes values between 0 and 1 as fractions of 100. Gives only a problem if values are outside of
/// 0 to 100, or all the same.
Plddt checked_plddt(std::vector<double> values, const std::string& source);

/// The B column taken for pLDDT, whatever the file says: the value of the C-alpha of each residue,
/// or of its first atom.
Plddt plddt_of_b_column(const std::vector<AtomRecord>& atoms);

/// Decides as docs/method/docking-atoms.md ("Confidence of predicted models") says. `local` holds
/// the values of _ma_qa_metric_local for each residue, NaN where there is none. `path` is the name
/// of the file.
Plddt recognised_plddt(const std::vector<AtomRecord>& atoms, const FileOrigin& origin,
                       const std::vector<double>& local, const std::string& path);

}  // namespace tessera::io
