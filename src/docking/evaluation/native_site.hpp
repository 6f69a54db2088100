// One native place of the ligand on the receptor, by one matching of the chains.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/vec3.hpp"
#include "docking/evaluation/pose_quality.hpp"
#include "docking/evaluation/residue_matching.hpp"
#include "docking/evaluation/superposition.hpp"

namespace tessera::docking {

/// The chains of a docking and its reference.
struct ComplexChains {
    std::vector<Chain> receptor, ligand, reference;
};

/// Where a reference puts the ligand, in the frame of the receptor's file. Several threads may call
/// the members.
class NativeSite {
  public:
    /// Superposes the receptor of the reference onto the receptor's file.
    NativeSite(const ComplexMatch& match, const ComplexChains& chains);

    /// Empty if poses can be compared with this place. Otherwise the part ("ligand's interface")
    /// that has fewer than three backbone atoms in common with the reference.
    const std::string& incomplete() const { return incomplete_; }

    /// Number of residue contacts in the reference.
    std::size_t native_contacts() const { return native_contacts_; }
    /// Backbone RMSD of each partner from its form in the reference, superposed, Angstrom.
    double receptor_rmsd() const { return receptor_rmsd_; }
    double ligand_rmsd() const { return ligand_rmsd_; }

    /// The quality of the pose in which x of the ligand's file is at motion(x).
    PoseQuality quality(const RigidMotion& motion) const;
    /// The fraction of the native contacts that this pose has.
    double fnat(const RigidMotion& motion) const;
    /// The mean square of ligand_rmsd of this pose, Angstrom^2, without a loop over the atoms. It
    /// differs in the last digits.
    double ligand_mean_square(const RigidMotion& motion) const;

  private:
    /// A residue of a native contact: a range of atoms and the sphere around them.
    struct ContactResidue {
        std::size_t begin = 0, end = 0;
        Vec3 center;
        double radius = 0;
    };
    struct Construction;

    double interface_rmsd(const RigidMotion& motion) const;

    std::string incomplete_;
    // The reference points of all pairs are in the frame of the receptor's file.
    PointPairs ligand_backbone_, ligand_interface_ca_;
    PointPairs receptor_interface_, ligand_interface_;  ///< backbone
    PairMoments ligand_moments_;                        ///< of ligand_backbone_
    std::vector<Vec3> receptor_atoms_, ligand_atoms_;   ///< of the residues in contacts
    std::vector<ContactResidue> receptor_residues_, ligand_residues_;
    /// Native contacts whose residues both partners have.
    std::vector<std::pair<std::size_t, std::size_t>> contacts_;
    std::size_t native_contacts_ = 0;
    double receptor_rmsd_ = 0, ligand_rmsd_ = 0;
};

}  // namespace tessera::docking
