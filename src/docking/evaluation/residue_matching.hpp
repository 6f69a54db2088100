// Finds the residues of two docking partners in a reference complex.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "docking/evaluation/chains.hpp"
#include "docking/evaluation/sequence_alignment.hpp"

namespace tessera::docking {

/// A chain of a partner, the reference chain that it matches, and their common residues.
struct ChainMatch {
    std::size_t chain = 0;            ///< index into the partner's chains
    std::size_t reference_chain = 0;  ///< index into the reference's chains
    IndexPairs residues;              ///< (partner residue, reference residue) of these chains
    double identity = 0;              ///< fraction of `residues` with the same name
    bool by_number = false;           ///< paired by residue number, not by sequence
};

/// The matches of a partner in the reference.
struct PartnerMatch {
    std::vector<ChainMatch> chains;
    std::vector<bool> allowed;  ///< for each reference chain, whether the partner may take it
    std::size_t residues() const;
};

struct ComplexMatch {
    PartnerMatch receptor, ligand;
};

/// Matches receptor and ligand in two steps:
/// - Chains with the same name match if their common residue numbers cover at least half of the
///   shorter chain and 80 % of these residues are identical.
/// - The other chains match by sequence if at least 30 % of the shorter chain is identical. The
///   pair with the most identical residues comes first.
///
/// match_chains pairs the residues of matching chains. Each reference chain is used once, and the
/// receptor comes first. `*_chains` restrict the reference chains of a partner. If they are empty,
/// the partner may take any chain that the other partner did not name. Throws Error if the
/// reference lacks a named chain, if both partners name a chain, or if a partner has no match. The
/// message names the chains on both sides.
ComplexMatch match_complex(const std::vector<Chain>& receptor, const std::vector<Chain>& ligand,
                           const std::vector<Chain>& reference,
                           const std::vector<std::string>& reference_receptor_chains,
                           const std::vector<std::string>& reference_ligand_chains);

/// Matches one protein in the same two steps. `names` restrict the reference chains.
PartnerMatch match_protein(const std::vector<Chain>& protein, const std::vector<Chain>& reference,
                           const std::vector<std::string>& names);

/// Pairs the residues of chain `c` of the partner with those of chain `r` of the reference: by
/// sequence, or by number if that gives as many identical residues.
ChainMatch match_chains(const std::vector<Chain>& partner, std::size_t c,
                        const std::vector<Chain>& reference, std::size_t r);

/// "receptor A -> A 223 residues (100 % identical, by number)" for the log.
std::string describe(const PartnerMatch& match, const std::string& partner_name,
                     const std::vector<Chain>& partner, const std::vector<Chain>& reference);

}  // namespace tessera::docking
