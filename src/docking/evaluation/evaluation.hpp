// How near a pose is to the native complex, by the definitions of CAPRI.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "docking/evaluation/native_site.hpp"
#include "docking/evaluation/pose_quality.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Compares poses with a reference complex. The constructor matches the residues of the partners to
/// those of the reference, once for each run.
///
/// The interface and the contacts are taken from all residues and heavy atoms of the matched
/// reference chains. RMSDs are over the atoms that partner and reference have in common; backbone
/// atoms count even if the residue types differ. fnat counts every native contact, so a contact of
/// a residue that a partner lacks is never found.
///
/// If a partner or the reference has copies of a chain, the ligand has several equivalent places
/// (equivalent_matches.hpp). A pose is compared with the place that gives it the best class, and
/// among these with the one of the lowest ligand_rmsd. All its values refer to this place.
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

    /// For rings of `copies` equal proteins. The reference holds a whole ring or some copies of it,
    /// and its chains are `reference_chains`, or all. Every two copies that are neighbours in the
    /// ring are equivalent places (ring_matches.hpp). Throws Error if there are none, or if they do
    /// not touch.
    Evaluation(const io::Structure& protein, const io::Structure& reference, int copies,
               const std::vector<std::string>& reference_chains = {});

    /// One line for the log: the matched chains and residues, the sequence identity, and the RMSD
    /// of each partner from its form in the reference.
    const std::string& matched() const { return matched_; }

    /// The chains of each equivalent place, as in "receptor A -> B, B -> A; ligand C -> C".
    /// PoseQuality::copy is an index into this list. The first is the place in `matched`.
    const std::vector<std::string>& copies() const { return copies_; }

    /// The quality of the pose in which x of the ligand is at R(rotation)(x - ligand_center) +
    /// translation. Several threads may call it.
    PoseQuality operator()(const Quaternion& rotation, Vec3 ligand_center, Vec3 translation) const;

  private:
    void add_place(const ComplexMatch& match, const ComplexChains& chains);
    /// Adds the place unless poses cannot be compared with it.
    void add_if_complete(const ComplexMatch& match, const ComplexChains& chains);
    PoseQuality best_quality(const RigidMotion& motion) const;

    std::string matched_;
    std::vector<std::string> copies_;
    std::vector<NativeSite> places_;  ///< at least one
};

}  // namespace tessera::docking
