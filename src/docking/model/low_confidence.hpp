// Residues of predicted models that are left out of a docking because their pLDDT is low.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "docking/model/plddt_rule.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Fewer residues in a row than this are no loop or tail of their own
/// (docs/method/docking-atoms.md, "Confidence of predicted models").
inline constexpr int shortest_piece = 4;

/// What is left out of a partner.
struct LowConfidence {
    double threshold = 0;       ///< pLDDT
    std::string source;         ///< how pLDDT was recognised; empty if it was not used
    int residues = 0;           ///< of the whole partner
    std::vector<int> left_out;  ///< AtomRecord::residue_index in the whole partner, ascending
    std::string named;          ///< the same in words: "A 1-38"

    bool is_used() const { return !source.empty(); }
};

/// A partner without its residues of low confidence.
struct CutPartner {
    LowConfidence low;
    std::optional<io::Structure> whole;  ///< before the cut; empty if nothing is left out
    std::string message;                 ///< what a user should know; empty if there is nothing
    std::string no_plddt;                ///< why no pLDDT was found; empty if it was
};

/// The residues with a pLDDT below the threshold, ascending. A gap of fewer than `shortest_piece`
/// low residues within a chain is filled first. Then a piece of fewer confident residues beside low
/// ones is left out, too. `plddt` has a value for each residue; residues with NaN are not low.
std::vector<int> low_residues(const io::Structure& structure, const std::vector<double>& plddt,
                              double threshold);

/// The structure without these residues (ascending). Residues, and segments, are numbered anew, as
/// if the file did not have them.
io::Structure without_residues(const io::Structure& whole, const std::vector<int>& left_out);

/// Cuts the residues of low confidence out of a partner ("receptor" or "ligand"). Throws Error if
/// no residue is left, or if the rule forces a threshold and the B column cannot be pLDDT.
CutPartner cut_low_confidence(const std::string& partner, const PlddtRule& rule,
                              io::Structure& structure);

/// Cuts what a former run has cut. Throws Error if the structure has another number of residues.
CutPartner cut_again(const std::string& partner, const LowConfidence& former,
                     io::Structure& structure);

/// Throws Error if a threshold is given for both partners, and neither has pLDDT.
void require_plddt(const PlddtRules& rules, const CutPartner& receptor, const CutPartner& ligand);

/// "38 of 250 residues below pLDDT 70 are left out (A 1-38)"; "no residue is below ..." if none is.
std::string describe(const LowConfidence& low);

}  // namespace tessera::docking
