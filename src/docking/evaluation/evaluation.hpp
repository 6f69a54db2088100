// How near a pose is to the native complex, by the definitions of CAPRI.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/vec3.hpp"
#include "docking/evaluation/superposition.hpp"
#include "docking/model/pose.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Quality of one pose (Lensink et al. 2007; Basu & Wallner 2016 for DockQ).
struct PoseQuality {
    double ligand_rmsd = 0;  ///< ligand backbone (N CA C O), receptors superposed, Angstrom
    /// Backbone of the native interface residues (10 A), superposed, Angstrom.
    double interface_rmsd = 0;
    double fnat = 0;  ///< fraction of the native residue contacts (5 A) that the pose has
    double dockq = 0;
    /// C-alphas of the ligand's native interface, receptors superposed, Angstrom.
    double ligand_interface_ca_rmsd = 0;
};

/// CAPRI class of a pose: 0 incorrect, 1 acceptable, 2 medium, 3 high.
int capri_class(const PoseQuality& quality);

/// Compares poses with a reference complex. The constructor matches the residues of the partners to
/// those of the reference, once for each run.
///
/// The interface and the contacts are taken from all residues and heavy atoms of the matched
/// reference chains. RMSDs are over the atoms that partner and reference have in common; backbone
/// atoms count even if the residue types differ. fnat counts every native contact, so a contact of
/// a residue that a partner lacks is never found.
class Evaluation {
  public:
    /// `reference_*_chains` name the chains of the reference. If they are empty, chains are matched
    /// by name and residue numbers, or else by sequence (residue_matching.hpp). Throws Error if
    /// nothing matches, naming the chains on both sides, or if the partners do not touch in the
    /// reference.
    Evaluation(const io::Structure& receptor, const io::Structure& ligand,
               const io::Structure& reference,
               const std::vector<std::string>& reference_receptor_chains = {},
               const std::vector<std::string>& reference_ligand_chains = {});

    /// One line for the log: the matched chains and residues, the sequence identity, and the RMSD
    /// of each partner from its form in the reference.
    const std::string& matched() const { return matched_; }

    /// The quality of the pose in which x of the ligand is at R(rotation)(x - ligand_center) +
    /// translation. Several threads may call it.
    PoseQuality operator()(const Quaternion& rotation, Vec3 ligand_center, Vec3 translation) const;

  private:
    /// A residue of a native contact: a range of atoms and the sphere around them.
    struct ContactResidue {
        std::size_t begin = 0, end = 0;
        Vec3 center;
        double radius = 0;
    };
    struct Construction;

    double native_contacts_found(const RigidMotion& ligand_motion) const;
    double interface_rmsd(const RigidMotion& ligand_motion) const;

    std::string matched_;
    // The reference points of all pairs are in the frame of the receptor's file.
    PointPairs ligand_backbone_, ligand_interface_ca_;
    PointPairs receptor_interface_, ligand_interface_;  ///< backbone
    std::vector<Vec3> receptor_atoms_, ligand_atoms_;   ///< of the residues in contacts
    std::vector<ContactResidue> receptor_residues_, ligand_residues_;
    /// Native contacts whose residues both partners have.
    std::vector<std::pair<std::size_t, std::size_t>> contacts_;
    std::size_t native_contacts_ = 0;  ///< number of contacts in the reference
};

}  // namespace tessera::docking
