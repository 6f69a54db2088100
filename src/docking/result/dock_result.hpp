// The result of a docking, and its place in the output file (docs/reference/hdf5.md, "/docking").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "docking/antibody/antibody.hpp"
#include "docking/ensemble/ensemble.hpp"
#include "docking/evaluation/clustering.hpp"
#include "docking/evaluation/evaluation.hpp"
#include "docking/model/energy.hpp"
#include "docking/model/membrane.hpp"
#include "docking/model/symmetry.hpp"
#include "docking/refinement/consensus.hpp"
#include "docking/result/chemistry_file.hpp"
#include "docking/result/low_confidence_file.hpp"
#include "docking/result/partner_atoms.hpp"
#include "docking/result/stored_restraints.hpp"
#include "docking/search/rotation_set.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// The result of a docking. All vectors except `rotations` have an element for each coefficient
/// set, in the same order.
struct DockResult {
    DockingFrame frame;
    std::string receptor_sha256, ligand_sha256;  ///< hashes of the files; an export checks them
    std::vector<Quaternion> rotations;           ///< all rotations of the search, unit, w >= 0
    std::vector<PoseList> lists;
    std::vector<std::vector<Cluster>> clusters;
    std::vector<std::vector<PoseQuality>> quality;  ///< empty without a reference
    std::vector<std::string> copies;                ///< Evaluation::copies(); not read back
    std::optional<Consensus> consensus;             ///< result of the second stage
    Symmetry symmetry;  ///< with --symmetry; without its counts of axes and rings
    std::vector<RecognisedDomain> antibody;      ///< with --antibody; not read back
    std::optional<StoredRestraints> restraints;  ///< with --restraints
    std::optional<Membrane> membrane;            ///< with --membrane
    LeftOut left_out;                            ///< residues of the partners that were not docked
    PartnerChemistry chemistry;                  ///< molecules beside the proteins
    /// The whole partners, with the residues that were left out. Results of earlier versions lack
    /// them.
    std::optional<Partners> partners;
    std::optional<Ensemble> ensemble;  ///< conformers of the partners, if there are several
};

/// The atoms that were docked, in a pair of conformers. The result must have its partners.
Partners docked_partners(const DockResult& result, const Combination& pair = {});

/// Writes the datasets of a group of clusters. `members` holds the members of all clusters one
/// after another, and cluster i owns the next size[i] of them.
void write_clusters(io::h5::Group group, const std::vector<Cluster>& clusters);

/// Writes the datasets of a group of evaluations, with one value for each pose. `copies` are those
/// of the Evaluation. The dataset `copy` is written only if there are several.
void write_quality(io::h5::Group group, const std::vector<PoseQuality>& quality,
                   const std::vector<std::string>& copies);

/// Writes the group /docking under `root`.
void write_dock_result(io::h5::Group root, const DockResult& result);

/// Reads /docking back: frame centres, hashes, rotations, poses and, if they are there, consensus
/// and atoms of the partners. Clusters and quality stay empty. Throws Error if parts of the file
/// do not fit together.
DockResult read_dock_result(const io::h5::Group& root);

/// Reads the clusters and, if the file has them, the qualities of all lists into a result of
/// read_dock_result(). Throws Error if parts of the file do not fit together.
void read_clusters_and_quality(const io::h5::Group& root, DockResult& result);

/// Reads a group of `count` evaluations back.
std::vector<PoseQuality> read_quality(const io::h5::Group& group, std::uint64_t count);

/// Reads `count` unit quaternions. Throws Error if one is not a unit quaternion.
std::vector<Quaternion> read_rotations(const io::h5::Group& group, const std::string& name,
                                       std::uint64_t count);

/// Throws Error unless the best score comes first.
void require_ascending(const io::h5::Group& group, const std::vector<double>& score);

}  // namespace tessera::docking
