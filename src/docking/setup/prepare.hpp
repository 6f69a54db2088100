// Turns the input files into everything that a rank needs before its first tile.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "docking/antibody/antibody.hpp"
#include "docking/ensemble/ensemble.hpp"
#include "docking/evaluation/assembly_evaluation.hpp"
#include "docking/evaluation/evaluation.hpp"
#include "docking/model/kept_residues.hpp"
#include "docking/model/low_confidence.hpp"
#include "docking/refinement/cdr_share.hpp"
#include "docking/refinement/refinement.hpp"
#include "docking/refinement/rescoring.hpp"
#include "docking/restraints/restraint_atoms.hpp"
#include "docking/search/restraint_filter.hpp"
#include "docking/search/rotation_set.hpp"
#include "docking/setup/dock_input.hpp"
#include "docking/setup/input_hash.hpp"

namespace tessera::docking {

/// The input as a correlation problem. The same on every rank.
struct PreparedDocking {
    io::Structure receptor_structure, ligand_structure;  ///< what of the files is docked
    CutPartner receptor_cut, ligand_cut;                 ///< what was left out, with --plddt
    Chemistry receptor_chemistry, ligand_chemistry;      ///< molecules beside the proteins
    RotationSet rotations;
    DockingFrame frame;
    kernels::CorrelationProblem problem;
    kernels::RefineProblem refinement;       ///< for the best poses
    RescoringWeights rescoring;              ///< for refined poses; empty if none are refined
    ContactTypes contact_types;              ///< for the contacts that `rescoring` weighs
    DistanceRestraints restraints;           ///< empty without --restraints
    std::optional<MembraneFilter> membrane;  ///< with --membrane
    std::optional<Evaluation> evaluation;
    std::vector<Evaluation> other_evaluations;  ///< of the pairs of conformers after the first
    std::optional<AssemblyEvaluation> assembly_evaluation;  ///< of Dn, with a reference
    std::string receptor_sha256, ligand_sha256;             ///< hashes of the two files
    FileHashes files;                                       ///< hashes of all files that were read
    std::map<std::string, io::FileStamp> stamps;  ///< stamps_of() before the files were read
    std::string input_sha256;                     ///< hash of the settings and the file contents
    std::vector<std::string> messages;            ///< what a user should know, one line each
    std::vector<std::string> warnings;            ///< the messages that are warnings
    std::vector<RecognisedDomain> antibody;       ///< of both partners, with --antibody
    CdrAtoms in_cdr;                              ///< atoms of `refinement` that are in CDRs
    Ensemble ensemble;        ///< conformers of the partners; the pairs after the first lack it
    Combination combination;  ///< the conformers of this pair

    /// The evaluation of a pose of pair `number` of the ensemble. There must be a reference.
    const Evaluation& evaluation_of(std::size_t number) const {
        return number == 0 ? evaluation.value() : other_evaluations.at(number - 1);
    }

    // Another preparation with the same receptor takes these over.
    std::vector<std::string> receptor_chains;  ///< as in the input
    PlddtRule receptor_rule;                   ///< as in the input
    KeepRule receptor_keep;                    ///< as in the input
    Molecule receptor;
    std::vector<std::string> receptor_warnings;
    /// For each atom of receptor and ligand, whether --antibody masks it; empty: none.
    std::array<std::vector<bool>, 2> masked;
    bool has_restraints = false;
};

/// The filter of the prepared restraints, which must outlive it.
RestraintFilter restraint_filter(const PreparedDocking& prepared);

/// The statistical terms of refined poses.
StatisticalEnergy statistical_energy(const PreparedDocking& prepared);

/// Closes and scores the rings of the lists (ring_terms.hpp). Does nothing without --symmetry.
void close_rings(const PreparedDocking& prepared, std::vector<PoseList>& lists);

/// Whether a list has a pose. Restraints or a membrane may have left none.
bool has_poses(const std::vector<PoseList>& lists);

/// Throws Error if no list has a pose because of restraints or of a membrane.
void require_restrained_poses(const PreparedDocking& prepared, const std::vector<PoseList>& lists);

/// Reads the files and makes the correlation problem. `former` is another preparation of the same
/// run. If it has the same receptor file and chains, the receptor is taken over; if the grid has
/// the same size, too, the receptor's grids are taken over. The result is the same with and without
/// `former`. With an ensemble the result is its first pair of conformers, with a grid that holds
/// all pairs and the evaluations of all.
PreparedDocking prepare(const DockInput& input, RotationSet rotations,
                        const PreparedDocking* former = nullptr, Ensemble ensemble = {});

/// Makes the correlation problem of pair `number` of an ensemble, from 1. `first` is the result of
/// prepare(), and `former` that of any pair. Reads no structures, and has no evaluation.
PreparedDocking prepare_member(const DockInput& input, const PreparedDocking& first,
                               std::size_t number, const PreparedDocking* former);

/// What a result holds of its partners.
struct StoredStructures {
    std::optional<io::Structure> receptor, ligand;  ///< whole; they stand for the files
    LowConfidence receptor_low, ligand_low;         ///< what was left out of them
    Ensemble ensemble = {};                         ///< their conformers
};

/// Prepares what scores and judges the refined poses of a run whose frame is `frame`: partners and
/// evaluation, and with `new_weights` the table of weights. Makes no grids and no rotations. Reads
/// the files of the partners that are not in `stored`, and leaves out the residues that the run has
/// left out, whatever the input says of pLDDT.
PreparedDocking prepare_rescoring(const DockInput& input, const DockingFrame& frame,
                                  bool new_weights, const StoredStructures& stored);

/// Whether two preparations of the same run have the same receptor grids: the same file, chains and
/// residues, the same size and mask, and no restraints.
bool same_receptor_grids(const PreparedDocking& a, const PreparedDocking& b);

}  // namespace tessera::docking
