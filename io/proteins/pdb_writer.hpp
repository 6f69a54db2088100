// Writes complexes as PDB files.
#pragma once

#include <string>
#include <vector>

#include "io/proteins/complex.hpp"

namespace tessera::io {

/// Writes the parts one after another: REMARK lines, ATOM records, TER at the end of each segment,
/// HETATM records of molecules beside the protein, END. Chains are named by plan_chains(), and a
/// REMARK tells of each new name. Serial and residue numbers that do not fit are written in
/// hybrid-36. The file gets its name only when it is complete. Throws Error if writing fails or a
/// number does not fit its columns.
void write_pdb(const std::string& path, const std::vector<std::string>& remarks,
               const std::vector<ComplexPart>& parts, const ChainRules& rules = {});

/// The same for several models of one complex, between MODEL and ENDMDL. All REMARK lines stand
/// before the first model. Those of a model begin with its number.
void write_pdb_models(const std::string& path, std::vector<std::string> remarks,
                      const std::vector<ComplexModel>& models, const ChainRules& rules = {});

}  // namespace tessera::io
