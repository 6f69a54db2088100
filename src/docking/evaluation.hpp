// How near a pose is to the native complex, in the definitions of CAPRI.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "docking/pose.hpp"
#include "io/structure.hpp"

namespace tessera::docking {

/// Quality of one pose (Lensink et al. 2007; Basu & Wallner 2016 for DockQ).
struct PoseQuality {
    double ligand_rmsd = 0;     ///< ligand backbone (N CA C O), receptors superposed, Angstrom
    double interface_rmsd = 0;  ///< backbone of native interface residues (10 A), superposed, Angstrom
    double fnat = 0;            ///< fraction of native residue contacts (5 A) present
    double dockq = 0;
    double ligand_interface_ca_rmsd = 0;  ///< ligand interface C-alphas, no ligand superposition
};

/// CAPRI class of a pose: 0 incorrect, 1 acceptable, 2 medium, 3 high.
int capri_class(const PoseQuality& quality);

/// Which residues of the partners correspond to which of the reference, decided once per run.
class Evaluation {
  public:
    /// `reference_*_chains` empty: chains of the same names and residue numbers, else by sequence
    /// alignment. Throws Error when nothing matches, naming the chains on both sides.
    Evaluation(const io::Structure& receptor, const io::Structure& ligand,
               const io::Structure& reference,
               const std::vector<std::string>& reference_receptor_chains = {},
               const std::vector<std::string>& reference_ligand_chains = {});

    /// One line for the log: chains and residues matched, sequence identity.
    const std::string& matched() const { return matched_; }

    /// Quality of the ligand moved to R(rotation)(x - ligand_center) + translation.
    PoseQuality operator()(const Quaternion& rotation, Vec3 ligand_center, Vec3 translation) const;

  private:
    struct Backbone;  // matched atoms; defined in evaluation.cpp (or members here: the author's choice)
    std::string matched_;
};

}  // namespace tessera::docking
