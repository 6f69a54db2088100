// The options of tessera dock.
#include <fmt/format.h>

#include "app/dock_command.hpp"
#include "app/option_checks.hpp"
#include "app/schedule_options.hpp"
#include "core/error.hpp"
#include "docking/model/coefficients.hpp"
#include "io/hdf5/output_path.hpp"

namespace tessera::app {

void DockCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("dock", "Dock two proteins by FFT with PIPER's energy");
    command_->footer("Example:\n  mpirun -n 4 tessera dock receptor.pdb ligand.pdb -o run.h5\n"
                     "  tessera export run.h5 --poses 10 models/\n"
                     "Many pairs, one file each (docs/guide/pairs.md):\n"
                     "  mpirun -n 4 tessera dock --pairs pairs.csv -o results/");
    auto& o = *command_;
    o.add_option("receptor", input_.receptor_path, "PDB or mmCIF file, plain or .gz");
    o.add_option("ligand", input_.ligand_path, "the partner that is moved; likewise");
    o.add_option("-o,--output", options_.output, "HDF5 file to write; with --pairs a folder")
        ->required();
    o.add_option("--pairs", options_.pairs,
                 "CSV table of pairs to dock in one run: columns receptor,ligand, as wished name,"
                 "reference,receptor_chains,ligand_chains");
    o.add_option("--rotations", input_.rotations, "number of rotations, made a multiple of 24");
    o.add_option("--rotation-file", input_.rotation_file,
                 "rotations of your own: quaternions w x y z or 3x3 matrices, one a line");
    o.add_option("--seed", input_.seed,
                 "turn the whole rotation set by a random rotation; 0 leaves it")
        ->check(whole_number<std::uint64_t>());
    o.add_option("--spacing", input_.spacing, "grid spacing in Angstrom");
    o.add_option("--grid", input_.grid, "grid points per axis; 0: the smallest good size");
    o.add_option("--coefficients", coefficients_,
                 "built-in sets (balanced,electrostatic,hydrophobic,vdw) or a file of up to 8 lines"
                 " 'name w_rep w_att w_elec w_pair'; default: the four");
    o.add_option("--terms", input_.energy.eigen_terms, "desolvation eigen-terms, 1 to 18");
    o.add_option("--pair-potential", input_.pair_potential,
                 "tessera (default), ace (Zhang 1997), or a CSV table of contact energies");
    o.add_option("--pair-scale", input_.pair_scale,
                 "factor on the pair potential; 0: 0.6 for ace, else 1");
    o.add_option("--atom-types", input_.atom_types,
                 "CSV with columns residue,atom,type for such a table");
    o.add_option("--poses-per-rotation", input_.poses_per_rotation, "kept per rotation and set");
    o.add_option("--exclusion", input_.exclusion, "least distance between those, Angstrom");
    o.add_option("--poses", input_.poses, "kept per set in the end");
    o.add_option("--clusters", input_.clustering.clusters, "at most so many clusters per set")
        ->check(whole_number<std::size_t>());
    o.add_option("--cluster-radius", input_.clustering.radius, "Angstrom");
    o.add_option("--clustered-poses", input_.clustering.poses, "best poses that are clustered")
        ->check(whole_number<std::size_t>());
    o.add_option("--refine", refine_,
                 "best poses of every set that are refined off the grid and combined into one "
                 "list; 0: none; "
                 "default 10000 with --pair-potential tessera from 20000 rotations on, else 0");
    o.add_option("--duplicate-radius", input_.consensus.duplicate_radius,
                 "Angstrom: refined poses this near a better one are dropped");
    o.add_option("--rescoring", input_.consensus.rescoring,
                 "CSV table of weights for refined poses; default: the program's own");
    o.add_option("--reference", input_.reference_path, "native complex to judge poses by");
    const auto chains = [&](const char* name, std::vector<std::string>& value, const char* text) {
        o.add_option(name, value, text)->delimiter(',');
    };
    chains("--receptor-chains", input_.receptor_chains, "chains to use, A,B; default: all");
    chains("--ligand-chains", input_.ligand_chains, "likewise");
    chains("--reference-receptor-chains", input_.reference_receptor_chains,
           "default: matched by name or by sequence");
    chains("--reference-ligand-chains", input_.reference_ligand_chains, "likewise");
    o.add_option("--block", input_.block_path,
                 "residues that must not be in the interface: lines 'receptor|ligand CHAIN N[-M]'");
    o.add_option("--attract", input_.attract_path, "residues wanted in the interface; likewise");
    o.add_option("--device", options_.device, "auto, cuda, openmp or serial");
    o.add_option("--precision", precision_, "of the transforms; terms are always summed in double")
        ->check(CLI::IsMember({"single"}));
    o.add_option("--memory", options_.memory_gib,
                 "GiB of device memory to use at most; 0: most of what is free");
    o.add_option("--report", options_.report, "poses per set in the closing table")
        ->check(whole_number<int>());
    o.add_flag("--force", options_.force, "replace an existing output");
    o.add_flag("--quiet", options_.quiet, "errors only");
    declare_energy_options();
    declare_schedule_options(o, options_.schedule);
}

void DockCommand::declare_energy_options() {
    docking::EnergyParameters& e = input_.energy;
    const auto add = [&](const char* name, auto& value, const char* text) {
        command_->add_option(name, value, text)->group("Energy (docs/method/docking.md)");
    };
    add("--surface-core-scale", e.surface_core_scale,
        "core radius of surface atoms / their radius");
    add("--buried-core-scale", e.buried_core_scale, "likewise for buried atoms");
    add("--surface-rim-scale", e.surface_rim_scale, "of the soft rim around the core, likewise");
    add("--buried-rim-scale", e.buried_rim_scale, "likewise");
    add("--repulsion", repulsion_, "height of the core; default 50, below 20000 rotations 30");
    add("--rim", rim_,
        "height of the rim / height of the core; default 0.2, below 20000 rotations 0.3");
    add("--buried-ligand-weight", buried_ligand_weight_,
        "what a buried ligand atom counts in the core (a surface atom: 1); default 40, below 20000 "
        "rotations 4");
    add("--attraction-cutoff", e.attraction_cutoff, "Angstrom");
    add("--pair-cutoff", e.pair_cutoff, "Angstrom");
    add("--born-radius", e.born_radius, "of the smoothed Coulomb term, Angstrom");
    add("--electrostatics-cutoff", e.electrostatics_cutoff, "Angstrom");
}

void DockCommand::finish_input() {
    check_partners();
    input_.sets = coefficients_.empty()
                      ? docking::default_coefficient_sets(input_.pair_potential)
                      : docking::parse_coefficient_sets(coefficients_, input_.pair_potential);
    if (input_.pair_scale == 0)
        input_.pair_scale = docking::default_pair_scale(input_.pair_potential);
    if (input_.rotation_file.empty()) {
        const docking::ClashCost cost = docking::default_clash_cost(input_.rotations);
        input_.energy.repulsion = cost.repulsion;
        input_.energy.rim = cost.rim;
        input_.energy.buried_ligand_weight = cost.buried_ligand_weight;
    }
    if (repulsion_) input_.energy.repulsion = *repulsion_;
    if (rim_) input_.energy.rim = *rim_;
    if (buried_ligand_weight_) input_.energy.buried_ligand_weight = *buried_ligand_weight_;
    // What the rescoring weights were trained on: that table's contact energies, fine searches.
    if (input_.pair_potential != docking::default_pair_potential || !input_.rotation_file.empty() ||
        !docking::is_fine_search(input_.rotations))
        input_.consensus.refine = 0;
    if (refine_) input_.consensus.refine = *refine_;
    docking::validate(input_);
    if (!(options_.memory_gib >= 0 && options_.memory_gib <= 1e6))
        throw Error(fmt::format("--memory {} is out of range", options_.memory_gib),
                    "it is the device memory in GiB",
                    "give a positive number, or 0 for most of it");
    if (options_.pairs.empty()) keep_inputs();
}

void DockCommand::check_partners() const {
    const std::string missing = input_.receptor_path.empty() ? "receptor" : "ligand";
    const bool whole = !input_.receptor_path.empty() && !input_.ligand_path.empty();
    if (options_.pairs.empty() && !whole)
        throw Error(missing + " is required", "command line", "see tessera dock --help");
    if (!options_.pairs.empty() && !input_.receptor_path.empty())
        throw Error("'" + input_.receptor_path + "' stands beside --pairs",
                    "the partners are those of the table", "leave one of the two out");
}

void DockCommand::keep_inputs() const {
    for (const std::string& path : docking::input_files(input_))
        io::keep_source(options_.output, path);
}

}  // namespace tessera::app
