#include "docking/model/residue_ranges.hpp"

namespace tessera::docking {
namespace {

bool same_residue(const io::AtomRecord& a, const io::AtomRecord& b) {
    return a.segment == b.segment && a.chain == b.chain && a.residue_number == b.residue_number &&
           a.insertion_code == b.insertion_code && a.variant == b.variant &&
           a.residue_index == b.residue_index;
}

}  // namespace

std::vector<ResidueRange> residues_of(const std::vector<io::AtomRecord>& atoms) {
    std::vector<ResidueRange> residues;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        if (i == 0 || !same_residue(atoms[i - 1], atoms[i])) residues.push_back({i, i});
        residues.back().end = i + 1;
    }
    return residues;
}

int protein_residues(const io::Structure& structure) {
    for (auto atom = structure.atoms.rbegin(); atom != structure.atoms.rend(); ++atom)
        if (!atom->hetero && !atom->nucleic) return atom->residue_index + 1;
    return 0;
}

}  // namespace tessera::docking
