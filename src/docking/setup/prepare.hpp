// From files to a search: everything a rank needs before the first tile.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "docking/evaluation/evaluation.hpp"
#include "docking/refinement/refinement.hpp"
#include "docking/refinement/rescoring.hpp"
#include "docking/search/rotation_set.hpp"
#include "docking/setup/dock_input.hpp"

namespace tessera::docking {

/// SHA-256 by path, of the bytes that were read.
using FileHashes = std::map<std::string, std::string>;

/// The input, read and turned into a correlation problem. The same on every rank.
struct PreparedDocking {
    io::Structure receptor_structure, ligand_structure;
    RotationSet rotations;
    DockingFrame frame;
    kernels::CorrelationProblem problem;
    kernels::RefineProblem refinement;  ///< of the best poses
    RescoringWeights rescoring;         ///< of refined poses; empty where none is refined
    std::optional<Evaluation> evaluation;
    std::string receptor_sha256, ligand_sha256;  ///< of their files
    FileHashes files;                            ///< of all files that were read
    std::string input_sha256;                    ///< of settings and file contents
    std::vector<std::string> messages;           ///< what a user should know, one line each
    std::vector<std::string> warnings;           ///< those of them that may need his attention

    // What another preparation with the same receptor takes over.
    std::vector<std::string> receptor_chains;  ///< as asked for
    Molecule receptor;
    std::vector<std::string> receptor_warnings;  ///< of making it
    bool has_restraints = false;
};

/// The rotations asked for. Made on one rank and sent to the others: sets that are not shipped are
/// computed with the machine's own mathematical functions.
RotationSet choose_rotations(const DockInput& input);

/// Of settings and contents of files: what runs are compared by. Reads the files for nothing else; Error
/// for one that is missing.
std::string input_hash(const DockInput& input);

/// `former`: another preparation of the same run; of a receptor that is the same here (file, chains and,
/// for its grids, their size) nothing is made twice. The result is the same with and without it.
PreparedDocking prepare(const DockInput& input, RotationSet rotations,
                        const PreparedDocking* former = nullptr);

/// What scores and judges the refined poses of a run whose frame is `frame`: partners, evaluation, and with
/// `new_weights` the table of weights. Without grids and rotations.
PreparedDocking prepare_rescoring(const DockInput& input, const DockingFrame& frame,
                                  bool new_weights);

/// Whether both have the same receptor grids: made of the same file and chains, of the same size, and
/// free of restraints. For preparations of the same run.
bool same_receptor_grids(const PreparedDocking& a, const PreparedDocking& b);

}  // namespace tessera::docking
