#include "app/docking_options.hpp"

#include <cstdint>

#include "app/option_checks.hpp"

namespace tessera::app {

void declare_search_options(CLI::App& o, docking::DockInput& input, docking::DockChoices& choices) {
    o.add_option("--rotations", input.rotations,
                 "number of ligand rotations, rounded to a multiple of 24");
    o.add_option("--rotation-file", input.rotation_file,
                 "file of your own rotations, one on each line: a quaternion w x y z or a 3x3 "
                 "matrix; replaces --rotations");
    o.add_option("--seed", input.seed,
                 "turn the whole set of rotations by one random rotation; 0: leave it as it is")
        ->check(whole_number<std::uint64_t>());
    o.add_option("--spacing", input.spacing, "grid spacing in Angstrom");
    o.add_option("--grid", input.grid,
                 "grid points along each axis; 0: the smallest size that holds both proteins");
    o.add_option("--coefficients", choices.coefficients,
                 "sets of energy weights: built-in names (balanced,electrostatic,hydrophobic,vdw), "
                 "or a file of up to 8 lines 'name w_rep w_att w_elec w_pair'; default: the four "
                 "built-in sets");
    o.add_option("--terms", input.energy.eigen_terms,
                 "eigen-terms that approximate the pair potential, 1 to 18");
    o.add_option("--pair-potential", input.pair_potential,
                 "contact energies: tessera, ace (Zhang 1997), or a CSV table of your own");
    o.add_option("--pair-scale", input.pair_scale,
                 "factor on the pair potential; 0: 0.6 for ace, otherwise 1");
    o.add_option("--atom-types", input.atom_types,
                 "CSV table residue,atom,type that assigns the atom types of your own "
                 "--pair-potential table");
}

void declare_peak_options(CLI::App& o, docking::DockInput& input) {
    o.add_option("--poses-per-rotation", input.poses_per_rotation,
                 "best poses kept for each rotation and coefficient set");
    o.add_option("--exclusion", input.exclusion,
                 "smallest distance in Angstrom between kept poses of the same rotation");
}

void declare_cluster_options(CLI::App& o, docking::DockInput& input) {
    o.add_option("--clusters", input.clustering.clusters, "largest number of clusters of each set")
        ->check(whole_number<std::size_t>());
    o.add_option("--cluster-radius", input.clustering.radius, "cluster radius in Angstrom");
    o.add_option("--clustered-poses", input.clustering.poses,
                 "number of best poses of each set that are clustered")
        ->check(whole_number<std::size_t>());
}

void declare_molecule_options(CLI::App& o, docking::DockInput& input) {
    o.add_option("--plddt", input.plddt,
                 "leave out residues of predicted models whose pLDDT is below a number: auto (70 "
                 "where the file says that it is such a model), off, a number, or "
                 "receptor=VALUE,ligand=VALUE; a number for one partner takes its B column for "
                 "pLDDT");
    o.add_option("--keep", input.keep,
                 "molecules beside the proteins that are docked with them: auto (bound metal ions, "
                 "haem, nucleotides and other cofactors, sugars bonded to the protein), all, none, "
                 "nucleic (DNA and RNA in a file that also has a protein), or names of residues "
                 "such as HEM,ZN; receptor=WORD or ligand=WORD is for one partner");
    o.add_option("--drop", input.drop,
                 "names of residues that --keep shall not keep, such as CA or ligand=CA");
    o.add_option("--antibody", input.antibody,
                 "prefer poses in which the CDRs of an antibody touch the other partner, and let "
                 "residues far from them attract less: auto, heavy-light, nanobody or off");
}

void declare_ensemble_options(CLI::App& o, docking::EnsembleOptions& ensemble) {
    o.add_option(
        "--receptor-models", ensemble.receptor_models,
        "models of the receptor's file that are docked, such as 1,3-5 or all; default: the "
        "first one");
    o.add_option("--ligand-models", ensemble.ligand_models,
                 "models of the ligand's file that are docked, such as 1,3-5 or all; default: the "
                 "first one");
    const auto files = [&](const char* name, std::vector<std::string>& value, const char* text) {
        o.add_option(name, value, text)->allow_extra_args(false);
    };
    files("--add-receptor", ensemble.receptor_files,
          "file with another conformer of the receptor; may be repeated");
    files("--add-ligand", ensemble.ligand_files,
          "file with another conformer of the ligand; may be repeated");
    o.add_option("--conformers", ensemble.conformers,
                 "number of conformers that are made along the normal modes of the partner with "
                 "fewer atoms, and docked; the first is the structure of the file")
        ->check(whole_number<int>());
    o.add_option("--receptor-conformers", ensemble.receptor_conformers, "the same for the receptor")
        ->check(whole_number<int>());
    o.add_option("--ligand-conformers", ensemble.ligand_conformers, "the same for the ligand")
        ->check(whole_number<int>());
    o.add_option("--conformer-rmsd", ensemble.rmsd,
                 "C-alpha RMSD of these conformers from the structure of the file, in Angstrom");
}

void declare_membrane_options(CLI::App& o, docking::MembraneOptions& membrane) {
    o.add_option(
        "--membrane", membrane.slab,
        "slab LOW,HIGH of the membrane in the receptor's file, in Angstrom along the axis; "
        "poses with ligand atoms inside are out; inf or -inf for a bound leaves one side");
    o.add_option("--membrane-axis", membrane.axis,
                 "normal X,Y,Z of the membrane in the receptor's file");
    o.add_option("--membrane-tolerance", membrane.tolerance,
                 "distance in Angstrom by which atoms of the ligand may reach into the slab");
}

void declare_membrane_protein_options(CLI::App& o, docking::MembraneOptions& membrane) {
    o.add_option("--membrane-ligand", membrane.ligand_slab,
                 "slab LOW,HIGH of the membrane in the ligand's file, for a ligand that is a "
                 "membrane protein, too; both membranes must then coincide");
    o.add_option("--membrane-ligand-axis", membrane.ligand_axis,
                 "normal X,Y,Z of the membrane in the ligand's file");
    o.add_option("--membrane-tilt", membrane.tilt,
                 "largest angle in degrees between both normals, or between the normal and the "
                 "axis of a ring");
    o.add_option("--membrane-shift", membrane.shift,
                 "largest distance in Angstrom between the middles of both membranes");
}

void declare_energy_options(CLI::App& o, docking::DockInput& input, docking::DockChoices& choices) {
    docking::EnergyParameters& e = input.energy;
    const auto add = [&](const char* name, auto& value, const char* text) {
        o.add_option(name, value, text)->group("Energy (docs/method/docking.md)");
    };
    add("--surface-core-scale", e.surface_core_scale,
        "core radius of a surface atom, as a multiple of its radius");
    add("--buried-core-scale", e.buried_core_scale,
        "core radius of a buried atom, as a multiple of its radius");
    add("--surface-rim-scale", e.surface_rim_scale,
        "outer radius of the soft rim around a surface atom's core, as a multiple of the "
        "atom's radius");
    add("--buried-rim-scale", e.buried_rim_scale,
        "outer radius of the soft rim around a buried atom's core, as a multiple of the atom's "
        "radius");
    add("--repulsion", choices.repulsion,
        "repulsion per grid point in the core; default: 50, or 30 below 20000 rotations");
    add("--rim", choices.rim,
        "repulsion in the rim as a fraction of that in the core; default: 0.2, or 0.3 below 20000 "
        "rotations");
    add("--buried-ligand-weight", choices.buried_ligand_weight,
        "weight of a buried ligand atom in the core, where a surface atom weighs 1; default: 40, "
        "or 4 below 20000 rotations");
    add("--attraction-cutoff", e.attraction_cutoff,
        "distance in Angstrom within which receptor atoms attract a ligand atom");
    add("--pair-cutoff", e.pair_cutoff,
        "distance in Angstrom within which atom pairs have a contact energy");
    add("--born-radius", e.born_radius,
        "Born radius in Angstrom, which smooths the Coulomb term at short distances");
    add("--electrostatics-cutoff", e.electrostatics_cutoff,
        "distance in Angstrom beyond which charges do not interact");
}

}  // namespace tessera::app
