// Which atoms of a structure belong together.
#pragma once

#include <cstddef>
#include <vector>

#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Atoms [begin, end) of a structure that are one residue.
struct ResidueRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::vector<ResidueRange> residues_of(const std::vector<io::AtomRecord>& atoms);

}  // namespace tessera::docking
