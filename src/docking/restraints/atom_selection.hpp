// A selection of atoms: conditions on residues, names and chains, combined with and, or and not.
#pragma once

#include <string>
#include <vector>

#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The two partners of a docking.
enum class Partner { receptor, ligand };

inline const char* name_of(Partner partner) {
    return partner == Partner::receptor ? "receptor" : "ligand";
}

/// A node of the expression. Only the members that its kind needs are used.
struct AtomSelection {
    enum class Kind { any_of, all_of, none_of, residue, residue_name, name, chain, partner, all };

    Kind kind = Kind::all;
    std::vector<AtomSelection> parts;  ///< of any_of and all_of; none_of has one
    std::string text;                  ///< a name, or a pattern with * and %
    int first = 0, last = 0;           ///< residue numbers
    char insertion = ' ';              ///< insertion code of a single residue
    Partner side = Partner::receptor;  ///< of kind partner

    bool matches(const io::AtomRecord& atom, Partner of) const;
};

/// The alternatives of a selection: its parts if it is an "or", however deep, or itself.
std::vector<const AtomSelection*> alternatives(const AtomSelection& selection);

/// The selection in the syntax that the parser reads.
std::string text_of(const AtomSelection& selection);

/// The selection without its conditions on atom names.
AtomSelection without_names(const AtomSelection& selection);

}  // namespace tessera::docking
