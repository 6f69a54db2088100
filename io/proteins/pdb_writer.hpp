// Complexes as PDB files.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::io {

/// One partner of a complex. `positions` in A, as many as structure->atoms; empty: as in the file.
struct PdbBlock {
    const Structure* structure = nullptr;
    std::vector<Vec3> positions;
    std::string name;  ///< for remarks: "receptor", "ligand"
};

/// Writes the blocks one after the other: REMARK lines, ATOM records, TER at the end of each segment,
/// END. Chains keep their names; a name that an earlier block has, or that has several letters, is
/// replaced by a free letter and a REMARK says so. Serial and residue numbers that do not fit are written
/// in hybrid-36. The file appears under its name only when it is whole. Throws Error where writing fails
/// or a number does not fit its columns.
void write_pdb(const std::string& path, const std::vector<std::string>& remarks,
               const std::vector<PdbBlock>& blocks);

}  // namespace tessera::io
