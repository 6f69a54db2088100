// The measures of a pose, by the definitions of CAPRI.
#pragma once

namespace tessera::docking {

/// Quality of one pose (Lensink et al. 2007; Basu & Wallner 2016 for DockQ).
struct PoseQuality {
    /// Ligand backbone (N CA C O; phosphate and sugar of nucleotides), receptors superposed,
    /// Angstrom.
    double ligand_rmsd = 0;
    /// Backbone of the native interface residues (10 A), superposed, Angstrom.
    double interface_rmsd = 0;
    double fnat = 0;  ///< fraction of the native residue contacts (5 A) that the pose has
    double dockq = 0;
    /// C-alphas (C1' of nucleotides) of the ligand's native interface, receptors superposed,
    /// Angstrom.
    double ligand_interface_ca_rmsd = 0;
    int copy = 0;  ///< the equivalent place of the ligand that the values refer to (Evaluation)
};

/// CAPRI class of a pose: 0 incorrect, 1 acceptable, 2 medium, 3 high.
int capri_class(const PoseQuality& quality);

}  // namespace tessera::docking
