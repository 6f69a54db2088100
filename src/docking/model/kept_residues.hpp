// Which ions, cofactors, sugars and other molecules of a file are docked with its protein.
#pragma once

#include <string>
#include <vector>

#include "docking/model/keep_rule.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Residues of one name.
struct ResidueCount {
    std::string name;
    int count = 0;
    std::string reason;  ///< why they are left out; empty if they are kept

    bool operator==(const ResidueCount&) const = default;
};

/// What became of the molecules of a partner. Waters are listed only if they are kept.
struct Chemistry {
    std::vector<ResidueCount> kept, left_out;  ///< in alphabetical order

    bool empty() const { return kept.empty() && left_out.empty(); }
    bool operator==(const Chemistry&) const = default;
};

/// An ion is bound if this many atoms of N, O, S or Se lie within this distance in Angstrom
/// (docs/method/docking-chemistry.md).
inline constexpr int binding_atoms = 2;
inline constexpr double binding_distance = 3.0;

/// Appends the molecules that the rule keeps to the atoms of the structure, each as a residue and a
/// segment of its own, and takes them off its counts. Nucleic acids beside the protein come before
/// them, if the rule keeps them, and a warning counts them otherwise. Clears `hetero` and
/// `nucleic`.
Chemistry keep_residues(const KeepRule& rule, io::Structure& structure);

/// Throws Error if a rule names a residue that neither partner has and that is in no table. The
/// message suggests a name.
void require_known_names(const KeepRules& rules, const Chemistry& receptor,
                         const Chemistry& ligand);

/// "kept 1 HEM, 2 ZN; left out 3 GOL (additive)".
std::string describe(const Chemistry& chemistry);

}  // namespace tessera::docking
