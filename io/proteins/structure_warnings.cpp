#include "io/proteins/structure_warnings.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "io/text/agreeing.hpp"
#include "io/text/counted.hpp"

namespace tessera::io {
namespace {

// The number of atoms that lie exactly on others, because the file has two copies of a protein or
// coordinates that were never filled in.
std::size_t atoms_on_others(const Structure& structure) {
    std::set<std::tuple<double, double, double>> places;
    for (const AtomRecord& atom : structure.atoms)
        places.emplace(atom.position.x, atom.position.y, atom.position.z);
    return structure.atoms.size() - places.size();
}

// The number of residues that have the same number as the residue before them in their chain.
int residues_without_own_number(const std::vector<AtomRecord>& atoms) {
    int count = 0;
    for (std::size_t i = 1; i < atoms.size(); ++i) {
        const AtomRecord &before = atoms[i - 1], &here = atoms[i];
        count += here.residue_index != before.residue_index && here.segment == before.segment &&
                 here.chain == before.chain && here.residue_number == before.residue_number &&
                 here.insertion_code == before.insertion_code;
    }
    return count;
}

}  // namespace

void warn_of_oddities(Structure& structure) {
    if (const int count = residues_without_own_number(structure.atoms); count > 0)
        structure.warnings.push_back(
            std::to_string(count) + " of " +
            counted(structure.atoms.back().residue_index + 1, "residue") + " of '" +
            structure.path + "' " +
            (count == 1 ? "has the number of the residue before it and is distinguished by its name"
                        : "have the number of the residue before them and are distinguished by "
                          "their names") +
            " and backbone atoms (renumber the residues to name them in lists of residues)");
    if (const std::size_t doubled = atoms_on_others(structure); doubled > 0)
        structure.warnings.push_back(std::to_string(doubled) + " of " +
                                     counted(structure.atoms.size(), "atom") + " of '" +
                                     structure.path + "' " + agreeing(doubled, "lies", "lie") +
                                     " exactly on others (two copies, or missing coordinates?)");
    if (structure.other_models > 0)
        structure.warnings.push_back("only the first model of '" + structure.path +
                                     "' is used; it has " + std::to_string(structure.other_models) +
                                     (structure.other_models == 1 ? " other" : " others"));
}

}  // namespace tessera::io
