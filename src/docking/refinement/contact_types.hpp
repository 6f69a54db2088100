// The types of atoms by which the contacts of refined poses are counted.
#pragma once

#include <string>
#include <vector>

#include "docking/model/molecule.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The kinds of nucleotide atoms, in the order in which they follow the types of a potential.
const std::vector<std::string>& nucleotide_contact_names();

/// `type_names`, and the kinds of nucleotide atoms if one of the partners has nucleotides.
std::vector<std::string> contact_type_names(std::vector<std::string> type_names,
                                            const io::Structure& receptor,
                                            const io::Structure& ligand);

/// The types of a partner's atoms, as indices into contact_type_names(): those of the potential,
/// and for nucleotides their kinds (data/chemistry/nucleotide_contacts.csv). `types` is the number
/// of types of the potential.
std::vector<int> contact_types(const io::Structure& structure, const Molecule& molecule,
                               std::size_t types);

}  // namespace tessera::docking
