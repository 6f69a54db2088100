// Divides the atoms of a structure into residues.
#pragma once

#include <cstddef>
#include <vector>

#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The atoms [begin, end) of a structure, which form one residue.
struct ResidueRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::vector<ResidueRange> residues_of(const std::vector<io::AtomRecord>& atoms);

/// The number of residues of the protein, which come before the molecules that are kept beside it.
int protein_residues(const io::Structure& structure);

}  // namespace tessera::docking
