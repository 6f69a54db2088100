// How near a pose is to the native complex, in the definitions of CAPRI.
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
    double interface_rmsd =
        0;            ///< backbone of native interface residues (10 A), superposed, Angstrom
    double fnat = 0;  ///< fraction of native residue contacts (5 A) present
    double dockq = 0;
    double ligand_interface_ca_rmsd = 0;  ///< ligand interface C-alphas, no ligand superposition
};

/// CAPRI class of a pose: 0 incorrect, 1 acceptable, 2 medium, 3 high.
int capri_class(const PoseQuality& quality);

/// Which residues of the partners correspond to which of the reference, decided once per run.
///
/// The interface and the contacts are those of the reference's matched chains, all their residues and
/// heavy atoms. RMSDs are over the atoms that partner and reference have in common (backbone also of
/// residues that differ in type); fnat counts every native contact, so that one of a residue missing
/// in a partner is never found.
class Evaluation {
  public:
    /// `reference_*_chains` empty: chains of the same names and residue numbers, else by sequence
    /// alignment (residue_matching.hpp). Throws Error when nothing matches, naming the chains on both
    /// sides, and when the reference's partners do not touch.
    Evaluation(const io::Structure& receptor, const io::Structure& ligand,
               const io::Structure& reference,
               const std::vector<std::string>& reference_receptor_chains = {},
               const std::vector<std::string>& reference_ligand_chains = {});

    /// One line for the log: chains and residues matched, sequence identity, how far the partner is
    /// from its reference form.
    const std::string& matched() const { return matched_; }

    /// Quality of the ligand moved to R(rotation)(x - ligand_center) + translation. Safe to call from
    /// several threads.
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
    // In every pair the reference's point stands in the receptor file's frame.
    PointPairs ligand_backbone_, ligand_interface_ca_;
    PointPairs receptor_interface_, ligand_interface_;  ///< backbone
    std::vector<Vec3> receptor_atoms_, ligand_atoms_;   ///< of contact residues
    std::vector<ContactResidue> receptor_residues_, ligand_residues_;
    std::vector<std::pair<std::size_t, std::size_t>> contacts_;  ///< those that can be found
    std::size_t native_contacts_ = 0;                            ///< all of the reference
};

}  // namespace tessera::docking
