// Groups the atom sites of a file into residues.
#pragma once

#include <vector>

#include "io/proteins/atom_sites.hpp"

namespace tessera::io {

/// All sites of one residue position, in file order. It has several residue names only if the file
/// gives alternate residues (microheterogeneity).
using Residue = std::vector<AtomSite>;

/// Groups sites of the same segment, chain, number and insertion code that have one name or are
/// alternates. A backbone atom that repeats at another position begins the next residue.
std::vector<Residue> group_residues(std::vector<AtomSite> sites);

}  // namespace tessera::io
