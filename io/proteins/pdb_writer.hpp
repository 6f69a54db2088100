// Writes complexes as PDB files.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::io {

/// One partner of a complex. `positions` in A, one for each atom of `structure`; if empty, the
/// positions of the structure are used.
struct PdbBlock {
    const Structure* structure = nullptr;
    std::vector<Vec3> positions;
    std::string name;  ///< for remarks: "receptor", "ligand"
};

/// Writes the blocks one after another: REMARK lines, ATOM records, TER at the end of each segment,
/// END. Chains keep their names. A name that an earlier block uses, or that has several letters, is
/// replaced by a free letter, and a REMARK says so. Serial and residue numbers that do not fit are
/// written in hybrid-36. The file gets its name only when it is complete. Throws Error if writing
/// fails or a number does not fit its columns.
void write_pdb(const std::string& path, const std::vector<std::string>& remarks,
               const std::vector<PdbBlock>& blocks);

}  // namespace tessera::io
