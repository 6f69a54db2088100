// The meaning of a residue name in a structure file.
#pragma once

#include <string>

namespace tessera::io {

enum class ResidueKind { amino_acid, water, nucleic_acid, other };

/// `parent` is one of the twenty standard names if there is one, otherwise `variant`.
struct ResidueName {
    ResidueKind kind = ResidueKind::other;
    std::string parent;
    std::string variant;    ///< one spelling for each form: HSE, HISE -> HIE
    bool standard = false;  ///< one of the twenty standard residues under its own name
};

/// Knows standard and modified amino acids (the wwPDB names that gemmi tabulates), protonation
/// states as written by AMBER, CHARMM and GROMACS, caps (ACE, NME, NH2), waters and nucleotides.
ResidueName classify_residue(const std::string& name);

}  // namespace tessera::io
