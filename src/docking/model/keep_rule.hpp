// What --keep and --drop ask for.
#pragma once

#include <set>
#include <string>

namespace tessera::docking {

/// Which molecules of a partner's file are docked with its protein.
struct KeepRule {
    bool automatic = true;        ///< what docs/method/docking-chemistry.md says
    bool all = false;             ///< everything but water and nucleic acids
    bool nucleic = false;         ///< nucleic acids beside a protein
    std::set<std::string> names;  ///< residues by name, upper case
    std::set<std::string> drop;   ///< left out, whatever the rest says

    bool operator==(const KeepRule&) const = default;
};

struct KeepRules {
    KeepRule receptor, ligand;
};

inline constexpr const char* default_keep = "auto";

/// Reads the values of --keep and --drop: words separated by commas, semicolons or blanks. A word
/// of `keep` is auto, all, nucleic, none or the name of a residue; a word of `drop` is a name. With
/// "receptor=" or "ligand=" in front it is for this partner alone. A partner that no word of `keep`
/// is for is automatic. Throws Error for any other text.
KeepRules parse_keep(const std::string& keep, const std::string& drop);

}  // namespace tessera::docking
