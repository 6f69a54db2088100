// What a residue name of a structure file stands for.
#pragma once

#include <string>

namespace tessera::io {

enum class ResidueKind { amino_acid, water, nucleic_acid, other };

/// `parent` is one of the twenty standard names where there is one, else `variant`.
struct ResidueName {
    ResidueKind kind = ResidueKind::other;
    std::string parent;
    std::string variant;    ///< one spelling for each form: HSE, HISE -> HIE
    bool standard = false;  ///< one of the twenty under its own name
};

/// Standard and modified amino acids (the wwPDB names that gemmi tabulates), protonation states as
/// AMBER, CHARMM and GROMACS write them, caps (ACE, NME, NH2), waters and nucleotides.
ResidueName classify_residue(const std::string& name);

}  // namespace tessera::io
