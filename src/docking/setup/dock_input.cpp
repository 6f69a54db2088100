#include "docking/setup/dock_input.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "docking/antibody/antibody.hpp"
#include "docking/ensemble/ensemble_options.hpp"
#include "docking/model/membrane.hpp"
#include "docking/model/plddt_rule.hpp"
#include "docking/restraints/required_share.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

template <class Value>
void require_range(const char* option, Value value, Value low, Value high) {
    if (!(value >= low && value <= high))
        throw Error(fmt::format("{} {} is out of range", option, value), "nothing was computed",
                    fmt::format("choose between {} and {}", low, high));
}

/// Throws Error for what a docking of rings does not take, and for options of assemblies.
void validate_ring(const DockInput& input) {
    const auto refuse = [](const std::string& option, const char* why, const char* remedy) {
        throw Error(option + " cannot be combined with --symmetry", why, remedy);
    };
    if (input.rotations != DockInput{}.rotations || !input.rotation_file.empty())
        refuse(input.rotation_file.empty() ? "--rotations" : "--rotation-file",
               "a ring has one rotation for each axis", "give the number of axes with --axes");
    if (input.symmetry.dihedral && !input.restraints.files.empty())
        refuse("--restraints", "the rings of Dn are found before their contacts with each other",
               "use --attract, or dock one ring with --symmetry Cn");
    if (input.symmetry.dihedral && input.membrane.is_set())
        refuse("--membrane", "the two rings of Dn point to opposite sides of a membrane",
               "leave it out, or dock one ring with --symmetry Cn");
    if (!input.reference_ligand_chains.empty())
        refuse("--reference-ligand-chains", "all copies are the same protein",
               "name the chains of all copies with --reference-receptor-chains");
    if (input.ligand_chains != input.receptor_chains)
        refuse("--ligand-chains", "all copies are the same protein",
               "choose its chains with --receptor-chains");
    const PlddtRules plddt = parse_plddt(input.plddt);
    if (!(plddt.receptor == plddt.ligand))
        refuse("--plddt " + io::one_line(input.plddt, 40), "all copies are the same protein",
               "give one value for all of them");
    const KeepRules keep = parse_keep(input.keep, input.drop);
    if (!(keep.receptor == keep.ligand))
        refuse("--keep or --drop of one partner", "all copies are the same protein",
               "name the molecules without receptor= and ligand=");
}

/// Throws Error for what a docking of several conformers does not take.
void validate_ensemble(const DockInput& input) {
    if (input.symmetry.is_set())
        throw Error("--symmetry cannot be combined with conformers of a partner",
                    "all copies have the same conformation",
                    "dock each conformer with a command of its own");
}

void validate_repacking(const DockInput& input) {
    if (input.consensus.refine == 0)
        throw Error("--repack is given, but no poses are refined",
                    "the side chains of refined poses are repacked",
                    "add --refine N, or leave out --repack");
    if (input.symmetry.is_set())
        throw Error("--repack cannot be combined with --symmetry",
                    "all copies have the same conformation", "leave one of them out");
    if (input.ensemble.is_set())
        throw Error("--repack cannot be combined with conformers",
                    "side chains are repacked in one conformer only",
                    "dock each conformer with a command of its own");
}

}  // namespace

void validate(const DockInput& input) {
    validate(input.ensemble);
    if (input.ensemble.is_set()) validate_ensemble(input);
    if (input.symmetry.is_set())
        validate_ring(input);
    else if (input.symmetry.axes != default_axes)
        throw Error("--axes is given without --symmetry", "only rings have an axis",
                    "add --symmetry C2, or leave it out");
    if (!input.symmetry.dihedral && input.symmetry.rings != default_rings)
        throw Error("--rings is given without --symmetry Dn", "only Dn docks rings in pairs",
                    "add --symmetry D2, or leave it out");
    if (input.symmetry.dihedral && input.consensus.refine == 0)
        throw Error("--refine 0 cannot be combined with --symmetry Dn",
                    "its rings are docked in pairs after their refinement",
                    "leave it out, or dock one ring with --symmetry Cn");
    require_range<std::int64_t>("--rings", input.symmetry.rings, 1, 10'000);
    require_range<std::int64_t>("--axes", input.symmetry.axes, 8, 1'000'000);
    if (input.rotation_file.empty())
        require_range<std::int64_t>("--rotations", input.rotations, 24, 10'000'000);
    require_range("--spacing", input.spacing, 0.2, 5.0);
    if (input.grid != 0) require_range("--grid", input.grid, 8, 1024);
    if (input.grid % 2 != 0)
        throw Error(fmt::format("--grid {} is odd", input.grid),
                    "the Fourier transform needs an even size", "choose an even number");
    require_range("--terms", input.energy.eigen_terms, 1, 18);
    require_range("--poses-per-rotation", input.poses_per_rotation, 1,
                  kernels::max_poses_per_rotation);
    require_range("--exclusion", input.exclusion, 0.0, 50.0);
    require_range<std::int64_t>("--poses", input.poses, 1, 1'000'000);
    require_range<std::size_t>("--clusters", input.clustering.clusters, 1, 1000);
    require_range<std::size_t>("--clustered-poses", input.clustering.poses, 1, 100'000);
    require_range("--pair-scale", input.pair_scale, -1000.0, 1000.0);
    require_range("--cluster-radius", input.clustering.radius, 0.1, 100.0);
    require_range("--refine", input.consensus.refine, std::int64_t{0}, std::int64_t{1'000'000});
    require_range("--repack", input.consensus.repack, std::int64_t{0}, std::int64_t{100'000});
    if (input.consensus.repack > 0) validate_repacking(input);
    require_range("--duplicate-radius", input.consensus.duplicate_radius, 0.0, 100.0);
    require_range("--surface-core-scale", input.energy.surface_core_scale, 0.0, 3.0);
    require_range("--buried-core-scale", input.energy.buried_core_scale, 0.0, 3.0);
    require_range("--surface-rim-scale", input.energy.surface_rim_scale, 0.0, 3.0);
    require_range("--buried-rim-scale", input.energy.buried_rim_scale, 0.0, 3.0);
    require_range("--repulsion", input.energy.repulsion, 0.0, 1e6);
    require_range("--rim", input.energy.rim, 0.0, 10.0);
    require_range("--buried-ligand-weight", input.energy.buried_ligand_weight, 0.0, 1e4);
    require_range("--attraction-cutoff", input.energy.attraction_cutoff, 0.5, 30.0);
    require_range("--pair-cutoff", input.energy.pair_cutoff, 0.5, 30.0);
    require_range("--born-radius", input.energy.born_radius, 0.1, 30.0);
    require_range("--electrostatics-cutoff", input.energy.electrostatics_cutoff, 1.0, 60.0);
    antibody_mode_named(input.antibody);
    parse_plddt(input.plddt);
    parse_keep(input.keep, input.drop);
    if (input.membrane.is_set()) parse_membrane(input.membrane, input.symmetry.is_set());
    require_range("--restraints-tolerance", input.restraints.tolerance, 0.0, 100.0);
    require_range("--restraints-weight", input.restraints.weight.value_or(0), 0.0, 1000.0);
    require_range("--restraints-pull", input.restraints.pull, 0.0, 1e6);
    require_range("--restraints-closeness", input.restraints.closeness, 0.0, 1000.0);
    if (!parse_required_share(input.restraints.required))
        throw Error(fmt::format("--restraints-required '{}' is not {}",
                                io::one_line(input.restraints.required, 40), required_share_range),
                    "it says how many restraints of a group a pose must satisfy",
                    "write for example 3 or 50%");
    if (!input.consensus.rescoring.empty() && input.consensus.refine == 0)
        throw Error("--rescoring is given, but no poses are refined", "the weights are not used",
                    "add --refine N, or leave out --rescoring");
    if (input.reference_path.empty() &&
        !(input.reference_receptor_chains.empty() && input.reference_ligand_chains.empty()))
        throw Error("reference chains are given without --reference", "there is nothing to match",
                    "add --reference COMPLEX.pdb");
}

DockInput without_unused_options(DockInput input) {
    if (!input.symmetry.is_set()) input.symmetry.axes = default_axes;
    if (!input.symmetry.dihedral) input.symmetry.rings = default_rings;
    if (!input.ensemble.has_modes()) input.ensemble.rmsd = EnsembleOptions{}.rmsd;
    const MembraneOptions unset;
    MembraneOptions& membrane = input.membrane;
    const bool of_two = !membrane.ligand_slab.empty(), of_ring = input.symmetry.is_set();
    if (!of_two) membrane.shift = unset.shift;
    if (!of_two) membrane.ligand_axis = unset.ligand_axis;
    if (!of_two && !of_ring) membrane.tilt = unset.tilt;
    if (of_two || of_ring) membrane.tolerance = unset.tolerance;
    return input;
}

std::vector<std::string> input_files(const DockInput& input) {
    std::vector<std::string> files;
    for (const std::string& path :
         {input.receptor_path, input.ligand_path, input.reference_path, input.rotation_file,
          input.atom_types, input.block_path, input.attract_path})
        if (!path.empty()) files.push_back(path);
    const std::string& weights = input.consensus.rescoring;
    if (!weights.empty() && !is_built_in_rescoring(weights)) files.push_back(weights);
    for (const auto* more :
         {&input.restraints.files, &input.ensemble.receptor_files, &input.ensemble.ligand_files})
        files.insert(files.end(), more->begin(), more->end());
    if (!is_built_in_potential(input.pair_potential)) files.push_back(input.pair_potential);
    return files;
}

}  // namespace tessera::docking
