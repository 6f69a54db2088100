// From files to a search: everything a rank needs before the first tile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "docking/dock_input.hpp"
#include "docking/evaluation.hpp"
#include "docking/rotation_set.hpp"

namespace tessera::docking {

/// The input, read and turned into a correlation problem. The same on every rank.
struct PreparedDocking {
    io::Structure receptor_structure, ligand_structure;
    RotationSet rotations;
    DockingFrame frame;
    kernels::CorrelationProblem problem;
    std::optional<Evaluation> evaluation;
    std::string input_sha256;            ///< of settings and file contents
    std::vector<std::string> messages;   ///< what a user should know, one line each
};

PreparedDocking prepare(const DockInput& input);

}  // namespace tessera::docking
