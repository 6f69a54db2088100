// The input of a docking run with all its defaults.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "docking/ensemble/ensemble_options.hpp"
#include "docking/evaluation/clustering.hpp"
#include "docking/model/coefficients.hpp"
#include "docking/model/energy.hpp"
#include "docking/model/keep_rule.hpp"
#include "docking/model/membrane.hpp"
#include "docking/model/symmetry.hpp"
#include "docking/refinement/consensus.hpp"
#include "docking/restraints/distance_restraints.hpp"

namespace tessera::docking {

/// Poses of a rotation and set that are looked at if there are restraints
/// (docs/method/docking-restraints.md, "Depth").
inline constexpr int restrained_poses = 16;

struct DockInput {
    std::string receptor_path, ligand_path;
    std::vector<std::string> receptor_chains, ligand_chains;  ///< empty: all
    std::string reference_path;                               ///< empty: no evaluation
    std::vector<std::string> reference_receptor_chains, reference_ligand_chains;
    std::int64_t rotations = 70000;
    std::string rotation_file;  ///< a user's set of rotations; empty: the orbit set
    std::uint64_t seed = 0;     ///< if not 0, the whole rotation set is turned at random
    double spacing = 1.0;       ///< Angstrom
    int grid = 0;               ///< points along an edge; 0: the smallest good FFT size
    std::vector<CoefficientSet> sets = default_coefficient_sets();
    EnergyParameters energy;
    std::string pair_potential = default_pair_potential;  ///< name of a built-in table, or a file
    double pair_scale = 0;   ///< 0: the default of the potential (ACE 0.6, others 1)
    std::string atom_types;  ///< file of atom types for a table with other type names
    std::string block_path, attract_path;
    std::string antibody = "auto";          ///< name of an AntibodyMode
    std::string plddt = "auto";             ///< as parse_plddt() takes it
    std::string keep = default_keep, drop;  ///< as parse_keep() takes them
    RestraintOptions restraints;
    /// Contents of structures that lie in memory. Their paths are then names for messages. Empty:
    /// the file is read.
    std::string receptor_text, ligand_text, reference_text;
    int poses_per_rotation = 4;
    double exclusion = 4;       ///< Angstrom
    std::int64_t poses = 2000;  ///< kept for each set
    ClusteringOptions clustering;
    ConsensusOptions consensus;
    Symmetry symmetry;  ///< of a ring, whose ligand is the receptor again
    MembraneOptions membrane;
    EnsembleOptions ensemble;  ///< conformers of the partners

    /// How many poses of a rotation and set the search must find. With restraints they are more,
    /// because most of them are dropped.
    int poses_searched() const {
        return restraints.files.empty() ? poses_per_rotation
                                        : std::max(poses_per_rotation, restrained_poses);
    }

    /// How many best poses of a set the search must return: enough to keep and enough to refine.
    std::int64_t poses_sorted() const { return std::max(poses, consensus.refine); }
};

/// Throws Error for the first option that is out of its range.
void validate(const DockInput& input);

/// The input without options that have no effect on it: of rings without --symmetry, of conformers
/// along normal modes without these, and of other membranes than it has. A table has such options
/// for some of its rows.
DockInput without_unused_options(DockInput input);

/// The paths of all files that the run reads.
std::vector<std::string> input_files(const DockInput& input);

/// The input as JSON text with a key for each option. Runs are compared by this text.
std::string to_json(const DockInput& input);

/// Reads to_json() back. `file` is the file that holds the text. Throws Error if an option is
/// missing or malformed.
DockInput input_from_json(const std::string& text, const std::string& file);

}  // namespace tessera::docking
