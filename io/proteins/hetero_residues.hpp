// Residues of HETATM records: which are links of a protein chain, and to which chain others belong.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/residue_grouping.hpp"

namespace tessera::io {

/// Whether the residue has N, CA and C, and a peptide bond to the residue before it or after it in
/// its chain (C and N nearer than 1.8 A). So a modified amino acid is found whose name no table
/// has.
bool is_chain_link(const std::vector<Residue>& residues, std::size_t place);

/// Finds the protein chain that is nearest to a residue of another chain, such as a glycan or an
/// ion with a chain name of its own.
class NearestChain {
  public:
    void add(const Residue& residue);

    /// The chain of the atom nearest to the first atom of the residue; the first among equals.
    /// Empty if no residues were added.
    std::string of(const Residue& residue) const;

  private:
    std::vector<std::pair<Vec3, std::string>> atoms_;
};

}  // namespace tessera::io
