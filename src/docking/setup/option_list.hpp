// The options of a docking by their names, for texts that hold all of them.
#pragma once

#include "docking/setup/dock_input.hpp"

namespace tessera::docking {

/// Calls f(key, value) for every option, in the order of the text.
template <class Input, class Function>
void for_each_option(Input& input, Function f) {
    f("receptor", input.receptor_path);
    f("ligand", input.ligand_path);
    f("receptor_chains", input.receptor_chains);
    f("ligand_chains", input.ligand_chains);
    f("reference", input.reference_path);
    f("reference_receptor_chains", input.reference_receptor_chains);
    f("reference_ligand_chains", input.reference_ligand_chains);
    f("rotations", input.rotations);
    f("rotation_file", input.rotation_file);
    f("seed", input.seed);
    f("spacing", input.spacing);
    f("grid", input.grid);
    f("coefficients", input.sets);
    f("terms", input.energy.eigen_terms);
    f("surface_core_scale", input.energy.surface_core_scale);
    f("buried_core_scale", input.energy.buried_core_scale);
    f("surface_rim_scale", input.energy.surface_rim_scale);
    f("buried_rim_scale", input.energy.buried_rim_scale);
    f("repulsion", input.energy.repulsion);
    f("rim", input.energy.rim);
    f("buried_ligand_weight", input.energy.buried_ligand_weight);
    f("attraction_cutoff", input.energy.attraction_cutoff);
    f("pair_cutoff", input.energy.pair_cutoff);
    f("born_radius", input.energy.born_radius);
    f("electrostatics_cutoff", input.energy.electrostatics_cutoff);
    f("pair_potential", input.pair_potential);
    f("pair_scale", input.pair_scale);
    f("atom_types", input.atom_types);
    f("block", input.block_path);
    f("attract", input.attract_path);
    f("poses_per_rotation", input.poses_per_rotation);
    f("exclusion", input.exclusion);
    f("poses", input.poses);
    f("clustered_poses", input.clustering.poses);
    f("clusters", input.clustering.clusters);
    f("cluster_radius", input.clustering.radius);
    f("cluster_interface_cutoff", input.clustering.interface_cutoff);
    f("cluster_minimum_size", input.clustering.minimum_size);
    f("refine", input.consensus.refine);
    f("duplicate_radius", input.consensus.duplicate_radius);
    f("rescoring", input.consensus.rescoring);
}

/// Does the same for the options of restraints, which only runs with restraints have.
template <class Input, class Function>
void for_each_restraint_option(Input& input, Function f) {
    f("restraints", input.restraints.files);
    f("restraints_required", input.restraints.required);
    f("restraints_tolerance", input.restraints.tolerance);
}

/// Does the same for the options of a membrane, which only runs with a membrane have.
template <class Input, class Function>
void for_each_membrane_option(Input& input, Function f) {
    f("membrane", input.membrane.slab);
    f("membrane_axis", input.membrane.axis);
    f("membrane_ligand", input.membrane.ligand_slab);
    f("membrane_ligand_axis", input.membrane.ligand_axis);
    f("membrane_tolerance", input.membrane.tolerance);
    f("membrane_tilt", input.membrane.tilt);
    f("membrane_shift", input.membrane.shift);
}

/// Does the same for the options of conformers, which only runs with conformers have.
template <class Input, class Function>
void for_each_ensemble_option(Input& input, Function f) {
    f("receptor_models", input.ensemble.receptor_models);
    f("ligand_models", input.ensemble.ligand_models);
    f("add_receptor", input.ensemble.receptor_files);
    f("add_ligand", input.ensemble.ligand_files);
    f("conformers", input.ensemble.conformers);
    f("receptor_conformers", input.ensemble.receptor_conformers);
    f("ligand_conformers", input.ensemble.ligand_conformers);
    f("conformer_rmsd", input.ensemble.rmsd);
}

}  // namespace tessera::docking
