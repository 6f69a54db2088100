// The options of tessera dock (DockCommand, declared in dock_command.hpp).
#include <fmt/format.h>

#include "app/config_file.hpp"
#include "app/dock_command.hpp"
#include "app/docking_options.hpp"
#include "app/option_checks.hpp"
#include "app/schedule_options.hpp"
#include "core/error.hpp"
#include "docking/model/coefficients.hpp"
#include "io/hdf5/output_path.hpp"

namespace tessera::app {

void DockCommand::declare(CLI::App& app) {
    command_ =
        app.add_subcommand("dock", "Dock two proteins by FFT with the PIPER energy function");
    command_->footer("Example:\n  mpirun -n 4 tessera dock receptor.pdb ligand.pdb -o run.h5\n"
                     "  tessera export run.h5 --poses 10 models/\n"
                     "Many pairs, one result file for each pair (docs/guide/pairs.md):\n"
                     "  mpirun -n 4 tessera dock --pairs pairs.csv -o results/");
    auto& o = *command_;
    o.add_option("receptor", input_.receptor_path,
                 "structure that stays in place: PDB or mmCIF file, plain or .gz");
    o.add_option("ligand", input_.ligand_path,
                 "structure that is moved: PDB or mmCIF file, plain or .gz");
    o.add_option("-o,--output", options_.output, "HDF5 file to write; with --pairs, a folder")
        ->required();
    o.add_option("--pairs", options_.pairs,
                 "dock every row of this CSV table in one run; columns receptor, ligand and, "
                 "optionally, name, reference, receptor_chains, ligand_chains, antibody, plddt, "
                 "keep, drop, restraints, membrane, membrane_ligand, symmetry, conformers, "
                 "receptor_conformers, ligand_conformers, receptor_models, ligand_models, "
                 "add_receptor, add_ligand");
    o.add_option(
        "--symmetry", symmetry_,
        "dock copies of the receptor into a ring C2, C3, ... or a dihedral assembly D2, D3, "
        "...; there is no LIGAND then");
    o.add_option("--axes", input_.symmetry.axes, "number of axes that --symmetry tries");
    o.add_option("--rings", input_.symmetry.rings,
                 "number of best rings that --symmetry Dn docks in pairs");
    declare_search_options(o, input_, choices_);
    declare_pose_options();
    declare_restriction_options();
    declare_device_options(o, options_.device);
    o.add_option("--precision", precision_,
                 "precision of the Fourier transforms; energy terms are always summed in double")
        ->check(CLI::IsMember({"single"}));
    o.add_option("--memory", options_.memory_gib,
                 "upper limit of the device memory in GiB; 0: most of the free memory");
    o.add_option("--report", options_.report, "poses of each set in the closing table")
        ->check(whole_number<int>());
    declare_config_option(o);
    o.add_flag("--force", options_.force, "replace an existing output");
    o.add_flag("--quiet", options_.quiet, "print errors only");
    declare_energy_options(o, input_, choices_);
    declare_schedule_options(o, options_.schedule);
}

void DockCommand::declare_pose_options() {
    auto& o = *command_;
    declare_peak_options(o, input_);
    o.add_option("--poses", input_.poses, "best poses kept for each set in the result");
    declare_cluster_options(o, input_);
    o.add_option("--refine", choices_.refine,
                 "number of best poses of each set that are refined off the grid and combined into "
                 "one list; 0: none; default: 10000 with --pair-potential tessera and at least "
                 "20000 rotations, otherwise 0");
    o.add_option("--duplicate-radius", input_.consensus.duplicate_radius,
                 "drop a refined pose that is nearer than this to a better one, in Angstrom");
    o.add_option("--repack", input_.consensus.repack,
                 "number of best refined poses whose side chains are repacked at the interface "
                 "before they are ranked; 0: none");
    o.add_option("--rescoring", input_.consensus.rescoring,
                 "weights that score refined poses: general, antibody, nucleic or a CSV table; "
                 "default: nucleic if a partner has nucleotides, antibody if --antibody finds a "
                 "variable domain, otherwise general");
}

void DockCommand::declare_restriction_options() {
    auto& o = *command_;
    o.add_option("--reference", input_.reference_path,
                 "known complex; the result tells how near each pose comes to it");
    const auto chains = [&](const char* name, std::vector<std::string>& value, const char* text) {
        o.add_option(name, value, text)->delimiter(',');
    };
    chains("--receptor-chains", input_.receptor_chains,
           "chains of the receptor file to dock, such as A,B; default: all");
    chains("--ligand-chains", input_.ligand_chains,
           "chains of the ligand file to dock, such as A,B; default: all");
    chains("--reference-receptor-chains", input_.reference_receptor_chains,
           "receptor chains in the --reference file; default: matched by name or by sequence");
    chains("--reference-ligand-chains", input_.reference_ligand_chains,
           "ligand chains in the --reference file; default: matched by name or by sequence");
    o.add_option("--block", input_.block_path,
                 "file of residues to keep out of the interface: lines 'receptor CHAIN N' or "
                 "'ligand CHAIN N'; a range N-M may replace N");
    o.add_option("--attract", input_.attract_path,
                 "file of residues to favour in the interface: lines as for --block");
    declare_restraint_options();
    declare_membrane_options(o, input_.membrane);
    declare_membrane_protein_options(o, input_.membrane);
    declare_molecule_options(o, input_);
    declare_ensemble_options(o, input_.ensemble);
}

void DockCommand::declare_restraint_options() {
    auto& o = *command_;
    docking::RestraintOptions& restraints = input_.restraints;
    o.add_option(
         "--restraints", restraints.files,
         "file of distance restraints between the proteins: a HADDOCK table (segid A is the "
         "receptor, B the ligand) or a CSV table; may be repeated")
        ->allow_extra_args(false);
    o.add_option("--restraints-required", restraints.required,
                 "restraints of each group that a pose must satisfy, as a number or a percentage; "
                 "default: all, and 50% of a HADDOCK table");
    o.add_option("--restraints-tolerance", restraints.tolerance,
                 "distance in Angstrom by which a satisfied restraint may exceed its bounds");
    o.add_option("--restraints-weight", restraints.weight,
                 "added to the score of a refined pose that satisfies no restraint, and in "
                 "proportion if it satisfies some; default: the number of restraints");
    o.add_option("--restraints-closeness", restraints.closeness,
                 "weight, in the score of a refined pose, of how far below their upper bounds its "
                 "satisfied restraints are; 0: no weight");
    o.add_option("--restraints-pull", restraints.pull,
                 "energy by which the refinement pulls a pose towards each restraint; 0: no pull");
}

void DockCommand::finish_input() {
    input_.symmetry = docking::parse_symmetry(symmetry_, input_.symmetry);
    check_partners();
    choices_.complete(input_, !options_.pairs.empty());
    if (options_.pairs.empty() && input_.restraints.files.empty() &&
        !input_.restraints.required.empty())
        throw Error("--restraints-required is given without --restraints",
                    "there is nothing to satisfy", "add --restraints FILE");
    if (options_.pairs.empty()) docking::require_membrane(input_.membrane);
    if (!(options_.memory_gib >= 0 && options_.memory_gib <= 1e6))
        throw Error(fmt::format("--memory {} is out of range", options_.memory_gib),
                    "it is the upper limit of the device memory in GiB",
                    "give a positive number, or 0 for most of the free memory");
    if (options_.pairs.empty()) keep_inputs();
}

void DockCommand::check_partners() const {
    const std::string missing = input_.receptor_path.empty() ? "receptor" : "ligand";
    const bool whole =
        !input_.receptor_path.empty() && (!input_.ligand_path.empty() || input_.symmetry.is_set());
    if (options_.pairs.empty() && !whole)
        throw Error(missing + " is required", "command line", "see tessera dock --help");
    if (!options_.pairs.empty() && !input_.receptor_path.empty())
        throw Error("'" + input_.receptor_path + "' cannot be combined with --pairs",
                    "the table already names the proteins",
                    "give either two structure files or --pairs");
    if (input_.symmetry.is_set() && !input_.ligand_path.empty() &&
        input_.ligand_path != input_.receptor_path)
        throw Error("'" + input_.ligand_path + "' cannot be combined with --symmetry",
                    "the complex is made of copies of '" + input_.receptor_path + "'",
                    "give one structure file, or leave out --symmetry");
}

void DockCommand::keep_inputs() const {
    for (const std::string& path : docking::input_files(input_))
        io::keep_source(options_.output, path);
}

}  // namespace tessera::app
