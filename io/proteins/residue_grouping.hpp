// Which atom sites of a file are one residue.
#pragma once

#include <vector>

#include "io/proteins/atom_sites.hpp"

namespace tessera::io {

/// All sites of one residue position, in file order; several residue names only where the file
/// gives alternate residues (microheterogeneity).
using Residue = std::vector<AtomSite>;

/// Sites of the same segment, chain, number and insertion code, as far as they have one name or are
/// alternates; a backbone atom that stands there already at another place begins the next residue.
std::vector<Residue> group_residues(std::vector<AtomSite> sites);

}  // namespace tessera::io
