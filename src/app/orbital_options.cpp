// The options of tessera orbital.
#include "app/option_checks.hpp"
#include "app/orbital_command.hpp"
#include "app/schedule_options.hpp"
#include "core/error.hpp"
#include "io/hdf5/output_path.hpp"
#include "orbitals/tiles/grid.hpp"

namespace tessera::app {

void OrbitalCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("orbital", "Molecular orbitals and densities on grids");
    command_->footer("Example:\n"
                     "  tessera orbital c60.molden --orbitals HOMO,LUMO,12:18 -o run.h5\n"
                     "  tessera export run.h5 --cube cubes/");
    auto& o = *command_;
    o.add_option("files", input_.paths, "Molden, fchk, WFX or WFN files, plain or .gz; all frames")
        ->required();
    o.add_option("-o,--output", options_.output, "HDF5 file to write")->required();
    o.add_option("--orbitals", input_.orbitals,
                 "HOMO, LUMO, HOMO-2, LUMO+1, numbers (positions in the file), ranges 12:18, all,"
                 " occupied; a or b behind it: alpha or beta; default HOMO")
        ->check(not_empty("a list of orbitals"));
    o.add_option("--energy-window", window_,
                 "LOW:HIGH in hartree, or both in eV with the suffix eV");
    o.add_option("--frames", input_.frames, "frames to take, 1,3,5:9; default: all");
    o.add_option("--spacing", spacing_, "S or SX,SY,SZ in Angstrom; suffix bohr: in bohr");
    o.add_option("--padding", padding_, "of the box around all nuclei of all frames, likewise");
    o.add_option("--origin", origin_, "X,Y,Z of the first point, likewise; with --grid");
    o.add_option("--grid", grid_, "NX,NY,NZ points; with --origin");
    o.add_flag("--density", input_.density, "the electron density, sum of occupation * psi^2");
    o.add_flag("--spin-density", input_.spin_density, "alpha minus beta density");
    o.add_option("--isosurface", input_.isosurface,
                 "surfaces psi = V and psi = -V, bohr^-3/2; without grids unless --grids")
        ->check(number_above_0(1e6));
    o.add_flag("--grids", grids_too_, "write grids beside isosurfaces");
    o.add_flag("--norms-only", norms_only_, "write no grids at all");
    o.add_flag("--overlap-matrix", input_.overlap_matrix,
               "the overlaps of all chosen orbitals of a frame, as sums over the grid");
    o.add_option("--tolerance", input_.tolerance,
                 "what screening may drop at a point, bohr^-3/2; 0: no screening");
    o.add_option("--precision", precision_, "single or double")
        ->check(CLI::IsMember({"single", "double"}));
    o.add_flag("--track", input_.track,
               "follow sign and order of orbitals from frame to frame by their overlap");
    o.add_flag("--repair-norms", input_.repair_norms,
               "undo the normalisations of programs known to differ");
    o.add_option("--compress", input_.deflate, "gzip level of the grids, 0 to 9; 0: none");
    o.add_option("--device", options_.device, "auto, cuda, openmp or serial");
    o.add_option("--report", options_.report, "orbitals in the closing table")
        ->check(whole_number<int>());
    o.add_flag("--force", options_.force, "replace an existing output");
    o.add_flag("--quiet", options_.quiet, "errors only");
    declare_schedule_options(o, options_.schedule);
}

void OrbitalCommand::finish_input() {
    using namespace orbitals;
    const auto vector_of = [](const std::vector<double>& v) { return Vec3{v[0], v[1], v[2]}; };
    if (!origin_.empty() && command_->count("--padding") > 0)
        throw Error("--padding and --origin exclude each other",
                    "a grid of one's own has no box to pad", "drop one of them");
    input_.spacing = vector_of(parse_lengths("--spacing", spacing_, 3, true, spacing_range));
    input_.padding = parse_lengths("--padding", padding_, 1, false, padding_range)[0];
    if (!origin_.empty())
        input_.origin = vector_of(parse_lengths("--origin", origin_, 3, false, origin_range));
    if (!grid_.empty()) input_.shape = parse_shape("--grid", grid_);
    if (!window_.empty()) input_.energy_window = parse_energy_window(window_);
    input_.double_precision = precision_ == "double";
    if (norms_only_ && grids_too_)
        throw Error("--norms-only and --grids exclude each other", "command line",
                    "drop one of them");
    input_.grids = !norms_only_ && (input_.isosurface == 0 || grids_too_);
    validate(input_);
    keep_inputs();
}

void OrbitalCommand::keep_inputs() const {
    for (const std::string& path : input_.paths) io::keep_source(options_.output, path);
}

}  // namespace tessera::app
