// From files to a search: everything a rank needs before the first tile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "docking/dock_input.hpp"
#include "docking/evaluation.hpp"
#include "docking/refinement.hpp"
#include "docking/rotation_set.hpp"

namespace tessera::docking {

/// The input, read and turned into a correlation problem. The same on every rank.
struct PreparedDocking {
    io::Structure receptor_structure, ligand_structure;
    RotationSet rotations;
    DockingFrame frame;
    kernels::CorrelationProblem problem;
    kernels::RefineProblem refinement;  ///< of the best poses
    std::optional<Evaluation> evaluation;
    std::string receptor_sha256, ligand_sha256;  ///< of their files
    std::string input_sha256;                    ///< of settings and file contents
    std::vector<std::string> messages;           ///< what a user should know, one line each
};

/// The rotations asked for. Made on one rank and sent to the others: sets that are not shipped are
/// computed with the machine's own mathematical functions.
RotationSet choose_rotations(const DockInput& input);

PreparedDocking prepare(const DockInput& input, RotationSet rotations);

}  // namespace tessera::docking
