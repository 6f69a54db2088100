// The types of atoms by which the contacts of refined poses are counted.
#pragma once

#include <string>
#include <vector>

#include "docking/model/molecule.hpp"
#include "docking/refinement/contact_counts.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The kinds of nucleotide atoms, in the order in which they follow the types of a potential.
const std::vector<std::string>& nucleotide_contact_names();

/// `type_names`, and the kinds of nucleotide atoms if one of the partners has nucleotides.
std::vector<std::string> contact_type_names(std::vector<std::string> type_names,
                                            const io::Structure& receptor,
                                            const io::Structure& ligand);

struct TypedPartner {
    const io::Structure& structure;
    const Molecule& molecule;
};

/// The types of all atoms, as indices into contact_type_names(): those of the potential, which has
/// `types` of them, and for nucleotides their kinds (data/chemistry/nucleotide_contacts.csv).
/// Nothing without nucleotides.
ContactTypes contact_types(const TypedPartner& receptor, const TypedPartner& ligand, int types);

}  // namespace tessera::docking
