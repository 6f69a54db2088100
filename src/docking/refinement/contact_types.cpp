#include "docking/refinement/contact_types.hpp"

#include <algorithm>

#include "docking/model/nucleotide_atoms.hpp"
#include "io/files/data_files.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {
namespace {

const AtomTypes& table() {
    static const AtomTypes kinds(
        io::read_csv_text(io::data_file("chemistry/nucleotide_contacts.csv")));
    return kinds;
}

std::vector<int> types_of(const TypedPartner& partner, int types) {
    const std::vector<std::string>& names = nucleotide_contact_names();
    const auto& [structure, molecule] = partner;
    std::vector<int> found = molecule.types;
    for (std::size_t i = 0; i < molecule.size(); ++i) {
        const io::AtomRecord& atom = structure.atoms[molecule.structure_index[i]];
        if (!atom.nucleic) continue;
        const std::string* kind = table().find(atom.variant, atom.residue, atom.name);
        const auto place = std::ranges::find(names, kind ? *kind : "base") - names.begin();
        found[i] = types + static_cast<int>(place);
    }
    return found;
}

}  // namespace

const std::vector<std::string>& nucleotide_contact_names() {
    static const std::vector<std::string> names{"phosphate",      "sugar",        "major_acceptor",
                                                "major_donor",    "major_carbon", "methyl",
                                                "minor_acceptor", "minor_donor",  "base"};
    return names;
}

std::vector<std::string> contact_type_names(std::vector<std::string> type_names,
                                            const io::Structure& receptor,
                                            const io::Structure& ligand) {
    const std::vector<std::string>& own = nucleotide_contact_names();
    if (has_nucleotides(receptor) || has_nucleotides(ligand))
        type_names.insert(type_names.end(), own.begin(), own.end());
    return type_names;
}

ContactTypes contact_types(const TypedPartner& receptor, const TypedPartner& ligand, int types) {
    if (!has_nucleotides(receptor.structure) && !has_nucleotides(ligand.structure)) return {};
    const auto all = types + static_cast<int>(nucleotide_contact_names().size());
    return {all, types_of(receptor, types), types_of(ligand, types)};
}

}  // namespace tessera::docking
