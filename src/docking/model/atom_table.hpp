// The types, charges and radii of protein atoms in the docking energy.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::docking {

struct AtomParameters {
    std::string type;   ///< ACE name, such as "KNZ"
    double charge = 0;  ///< elementary charges, hydrogens folded in
    double radius = 0;  ///< Angstrom, CHARMM19 Rmin/2
};

/// Rows of data/atoms/charmm19_ace.csv.
class AtomTable {
  public:
    /// Reads a table with the columns residue,atom,type,charge,radius. Throws Error with the line
    /// number for a malformed line.
    explicit AtomTable(const std::string& path);

    /// The row of exactly this residue (or form of a residue) and atom. Null if there is none.
    const AtomParameters* find(const std::string& residue, const std::string& atom) const;

    /// The row of `variant` (such as HIP), or else of its `parent` (HIS), or else of the second
    /// oxygen of a carboxylate.
    const AtomParameters* find(const std::string& variant, const std::string& parent,
                               const std::string& atom) const;

    const std::map<std::pair<std::string, std::string>, AtomParameters>& rows() const {
        return rows_;
    }

  private:
    std::map<std::pair<std::string, std::string>, AtomParameters> rows_;  // by (residue, atom)
};

/// The built-in table, read once.
const AtomTable& built_in_atom_table();

/// Atom types for a user's pair potential.
class AtomTypes {
  public:
    /// Reads the columns residue, atom and type (or ace_type_name), in any order and among other
    /// columns. "*" stands for any residue or any atom. Throws Error with the line number for a
    /// malformed line.
    explicit AtomTypes(const io::TextSource& source);

    /// The type of an atom, from the first of these rows that exists: (variant, atom), (parent,
    /// atom), (*, atom), (parent, *), (*, *). OXT takes the type of O if it has no row of its own.
    /// Null if there is no such row.
    const std::string* find(const std::string& variant, const std::string& parent,
                            const std::string& atom) const;

  private:
    const std::string* row(const std::string& residue, const std::string& atom) const;

    std::map<std::pair<std::string, std::string>, std::string> rows_;  // by (residue, atom)
};

}  // namespace tessera::docking
