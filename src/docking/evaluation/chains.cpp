#include "docking/evaluation/chains.hpp"

#include <algorithm>

#include "io/proteins/nucleotides.hpp"

namespace tessera::docking {

const Vec3* Residue::find(const std::string& atom) const {
    const auto found = std::find(atom_names.begin(), atom_names.end(), atom);
    return found == atom_names.end() ? nullptr : &positions[found - atom_names.begin()];
}

const Vec3* Residue::trace() const { return find(nucleic ? io::nucleotide_trace : "CA"); }

std::vector<Chain> chains_of(const io::Structure& structure) {
    std::vector<Chain> chains;
    for (const io::AtomRecord& atom : structure.atoms) {
        if (atom.hetero) continue;
        const int strand = atom.nucleic ? atom.segment : -1;
        auto chain = std::find_if(chains.begin(), chains.end(), [&](const Chain& c) {
            return c.name == atom.chain && c.strand == strand;
        });
        if (chain == chains.end())
            chain = chains.insert(chains.end(), Chain{atom.chain, {}, strand});
        auto& residues = chain->residues;
        if (residues.empty() || residues.back().number != atom.residue_number ||
            residues.back().insertion_code != atom.insertion_code ||
            residues.back().index != atom.residue_index)
            residues.push_back({atom.chain,
                                atom.residue,
                                atom.residue_number,
                                atom.insertion_code,
                                {},
                                {},
                                atom.residue_index,
                                atom.nucleic});
        residues.back().atom_names.push_back(atom.name);
        residues.back().positions.push_back(atom.position);
    }
    return chains;
}

}  // namespace tessera::docking
