// What a structure file says about where its coordinates come from.
#pragma once

#include <string>
#include <string_view>

namespace tessera::io {

/// Both are empty if the file says nothing.
struct FileOrigin {
    /// Where it names a program whose B column holds pLDDT: "TITLE names AlphaFold".
    std::string prediction;
    /// What shows that it is an experiment, whose B column holds B factors: "EXPDTA".
    std::string experiment;
};

/// The first program that a text names among those that write pLDDT into the B column, or an empty
/// text. RoseTTAFold is not among them: models of its server have errors in Angstrom there. Knows
/// the names of files of the AlphaFold database, too ("AF-P01308-F1-model_v4").
std::string predictor_in(std::string_view text);

/// Whether an entry of EXPDTA or _exptl.method names an experiment.
bool names_experiment(std::string_view method);

/// Whether the edges of a unit cell, in Angstrom, are those of a crystal. Files without a crystal
/// have edges of 0 or 1.
bool is_crystal_cell(double a, double b, double c);

/// Notes what a line of the head of a PDB file says.
void note_pdb_header(std::string_view line, FileOrigin& origin);

}  // namespace tessera::io
