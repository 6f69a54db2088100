// Which residues of a docking partner are which residues of a reference complex.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// One residue of a structure and where its atoms are.
struct Residue {
    std::string chain;
    std::string name;  ///< three letters
    int number = 0;
    char insertion_code = ' ';
    std::vector<std::string> atom_names;
    std::vector<Vec3> positions;  ///< parallel to atom_names
    int index = 0;                ///< AtomRecord::residue_index

    /// The atom of that name, nullptr if it is missing.
    const Vec3* find(const std::string& atom) const;
};

/// Residues of one chain, in file order.
struct Chain {
    std::string name;
    std::vector<Residue> residues;
};

/// Chains in the order of their first atom.
std::vector<Chain> chains_of(const io::Structure& structure);

/// Pairs (index in a, index in b) of a global alignment of two sequences of residue names with
/// affine gaps (Gotoh 1982; identical +5, different -4, gap -10 to open and -0.5 to extend, gaps at
/// the ends free).
using IndexPairs = std::vector<std::pair<std::size_t, std::size_t>>;
IndexPairs align_sequences(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// A partner's chain, the reference chain it was found to be, and their common residues.
struct ChainMatch {
    std::size_t chain = 0;            ///< index into the partner's chains
    std::size_t reference_chain = 0;  ///< index into the reference's chains
    IndexPairs residues;              ///< (partner residue, reference residue) of those chains
    double identity = 0;              ///< fraction of `residues` of the same name
    bool by_number = false;           ///< paired by residue number, not by sequence
};

/// How one partner is found in the reference.
struct PartnerMatch {
    std::vector<ChainMatch> chains;
    std::size_t residues() const;
};

/// Matches receptor and ligand. First chains of the same name whose common residue numbers (at least
/// half of the shorter chain) are >= 80 % identical, then the rest by sequence (by number where that
/// pairs as many identical residues), most identical residues first, at least 30 % identity over the
/// shorter chain. A reference chain is used once, the
/// receptor has first choice. `*_chains` restrict the reference chains of a partner (empty: any that
/// the other partner did not name). Throws Error for a chain that the reference lacks or both
/// partners name, and for a partner without any match, naming the chains of both sides.
struct ComplexMatch {
    PartnerMatch receptor, ligand;
};
ComplexMatch match_complex(const std::vector<Chain>& receptor, const std::vector<Chain>& ligand,
                           const std::vector<Chain>& reference,
                           const std::vector<std::string>& reference_receptor_chains,
                           const std::vector<std::string>& reference_ligand_chains);

/// "receptor A -> A 223 residues (100 % identical, same numbers)" for the log.
std::string describe(const PartnerMatch& match, const std::string& partner_name,
                     const std::vector<Chain>& partner, const std::vector<Chain>& reference);

}  // namespace tessera::docking
