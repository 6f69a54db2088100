// Which type, charge and radius an atom of a protein has in the docking energy.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::docking {

struct AtomParameters {
    std::string type;   ///< ACE name, "KNZ"
    double charge = 0;  ///< elementary charges, hydrogens folded in
    double radius = 0;  ///< Angstrom, CHARMM19 Rmin/2
};

/// Rows of data/atoms/charmm19_ace.csv.
class AtomTable {
  public:
    /// Columns residue,atom,type,charge,radius. Throws Error naming the line that cannot be understood.
    explicit AtomTable(const std::string& path);

    /// The row of exactly this residue (or form of one) and atom; null where there is none.
    const AtomParameters* find(const std::string& residue, const std::string& atom) const;

    /// The row of `variant` (HIP), else of its `parent` (HIS), else of a carboxylate's second oxygen.
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

/// Atom types of a user's pair potential.
class AtomTypes {
  public:
    /// Columns residue, atom and type (or ace_type_name) among others, in any order; "*" for any residue
    /// or any atom. Throws Error naming the line.
    explicit AtomTypes(const io::TextSource& source);

    /// Type of an atom: its own row under `variant`, then `parent`, then (*, atom), (parent, *), (*, *);
    /// OXT as O where it has none of its own. Null where there is none.
    const std::string* find(const std::string& variant, const std::string& parent,
                            const std::string& atom) const;

  private:
    const std::string* row(const std::string& residue, const std::string& atom) const;

    std::map<std::pair<std::string, std::string>, std::string> rows_;  // by (residue, atom)
};

/// The types of a file.
AtomTypes read_atom_types(const std::string& path);

}  // namespace tessera::docking
