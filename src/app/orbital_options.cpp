// The options of tessera orbital (OrbitalCommand, declared in orbital_command.hpp).
#include <algorithm>

#include "app/config_file.hpp"
#include "app/export_rules.hpp"
#include "app/option_checks.hpp"
#include "app/orbital_command.hpp"
#include "app/picture_options.hpp"
#include "app/schedule_options.hpp"
#include "core/error.hpp"
#include "io/hdf5/output_path.hpp"
#include "orbitals/selection/density_field.hpp"
#include "orbitals/selection/unused_options.hpp"
#include "orbitals/selection/vertex_field.hpp"
#include "orbitals/tiles/grid.hpp"

namespace tessera::app {

void OrbitalCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("orbital", "Molecular orbitals and densities on grids");
    command_->footer("Example:\n"
                     "  tessera orbital c60.molden --orbitals HOMO,LUMO,12:18 -o run.h5\n"
                     "  tessera export run.h5 --cube cubes/\n"
                     "  tessera orbital n.molden --with anion=anion.molden --combine "
                     "\"f = density(anion) - density\" -o f.h5\n"
                     "  tessera orbital c60.molden --list");
    auto& o = *command_;
    o.add_option(
         "files", input_.paths,
         "Molden, fchk, WFX, WFN, QCSchema or ORCA JSON files, plain or .gz, or TREXIO; all "
         "frames of all files are read")
        ->required();
    auto* output =
        o.add_option("-o,--output", options_.output, "HDF5 file to write; not needed with --list")
            ->required();
    auto* list = o.add_flag_callback(
        "--list",
        [this, output] {
            list_ = true;
            output->required(false);
        },
        "print the orbitals of the files with their numbers and energies, and compute nothing");
    o.add_option("--cube", cube_, "also write a Gaussian cube file of every grid into this folder");
    o.add_option("--render", render_,
                 "also draw the isosurfaces with atoms and bonds, as this PNG file; for several, "
                 "a.png stands for a-HOMO.png, a-0002_HOMO.png ...")
        ->check(not_empty("a name of a PNG file"));
    o.add_flag("--json", json_, "with --list: print JSON")->needs(list);
    o.add_option(
         "--orbitals", input_.orbitals,
         "list of HOMO, HOMO-2, LUMO, LUMO+1, occupied, all, positions in the file such as 12 or "
         "12:18, and symmetries such as 2b1u; a suffix a or b chooses alpha or beta; default: "
         "HOMO, or none with densities or --energy-window")
        ->check(not_empty("a list of orbitals"));
    o.add_option("--energy-window", window_,
                 "all orbitals with energies in LOW:HIGH, in hartree, or in eV with the suffix eV");
    o.add_option("--frames", input_.frames,
                 "frames to compute, such as 1,3,5:9, counted over all files; default: all");
    declare_grid_options();
    declare_quantity_options();
    declare_combination_options();
    declare_potential_options();
    o.add_option("--tolerance", input_.tolerance,
                 "largest error of an orbital value from neglected terms, in bohr^-3/2; 0: neglect "
                 "nothing");
    o.add_option("--precision", precision_, "floating-point precision: single or double")
        ->check(CLI::IsMember({"single", "double"}));
    o.add_flag("--track", input_.track,
               "follow the orbitals of the first frame through all frames by their overlaps, and "
               "keep their signs");
    o.add_flag("--repair-norms", input_.repair_norms,
               "correct the normalisation of files from programs that are known to differ");
    o.add_option("--compress", input_.deflate,
                 "gzip level of the grids, 0 (none) to 9; with --compress-error 0 means 6");
    o.add_option("--compress-error", input_.compress_error,
                 "round the values of the grids for compression, none by more than this, in their "
                 "own units")
        ->default_str("")
        ->check(number_above_0(1));
    o.add_flag("--zfp", input_.zfp,
               "with --compress-error: pack the grids with zfp instead of gzip, which makes them "
               "smaller; other programs need the HDF5 plugin to read them (in Python: hdf5plugin)");
    declare_device_options(o, options_.device);
    o.add_option("--report", options_.report, "number of orbitals in the closing table")
        ->check(whole_number<int>());
    declare_config_option(o);
    o.add_flag("--force", options_.force, "replace an existing output");
    o.add_flag("--quiet", options_.quiet, "print errors only");
    declare_schedule_options(o, options_.schedule);
}

void OrbitalCommand::declare_grid_options() {
    auto& o = *command_;
    o.add_option("--spacing", spacing_,
                 "distance between grid points: S or SX,SY,SZ in Angstrom; suffix bohr: in bohr");
    o.add_option(
        "--padding", padding_,
        "space around the nuclei of all frames, in Angstrom; suffix bohr: in bohr; not with "
        "--origin");
    o.add_option("--origin", origin_,
                 "first grid point X,Y,Z in Angstrom; suffix bohr: in bohr; needs --grid");
    o.add_option("--grid", grid_,
                 "number of grid points NX,NY,NZ, which needs --origin; or cell: points that span "
                 "one cell of a periodic system, from 0,0,0 if --origin is not given");
    o.add_flag("--isolated", input_.isolated,
               "evaluate a periodic system as one isolated molecule, without its neighbouring "
               "cells");
    o.add_option("--natural-orbitals", input_.natural_orbitals,
                 "take the natural orbitals of a density matrix of the file instead of its "
                 "orbitals: MP2 of 'Total MP2 Density' (fchk), or 1e (TREXIO)");
    o.add_option(
         "--natural-transition-orbitals", input_.transition_orbitals,
         "take the natural transition orbitals of an excitation instead of the orbitals of "
         "the file: the number of an excited state in it (fchk, TREXIO), or a file with the "
         "transition density of its orbitals as a table")
        ->check(not_empty("a state or a file"));
}

void OrbitalCommand::declare_quantity_options() {
    auto& o = *command_;
    o.add_flag("--density", input_.density,
               "compute the electron density, the sum of occupation * psi^2, in bohr^-3");
    o.add_flag("--spin-density", input_.spin_density,
               "compute the alpha density minus the beta density, in bohr^-3");
    o.add_flag("--mean-density", input_.mean_density,
               "compute the mean of the electron density over all frames, as one grid, in bohr^-3");
    o.add_option("--field", input_.fields,
                 "compute fields derived from the density: a list of gradient, gradient-norm, "
                 "laplacian, tau, tau-laplacian, elf, lol, rdg, sign-lambda2-density and esp, and "
                 "expressions of --combine")
        ->check(not_empty("a list of fields"));
    o.add_option(
         "--isosurface", input_.isosurface,
         "extract the surfaces psi = V and psi = -V, V in bohr^-3/2, or without orbitals those of "
         "the density, V in bohr^-3; grids are then written only with --grids")
        ->default_str("")  // 0 means none, and is no value to give
        ->check(number_above_0(1e6));
    o.add_option("--density-isosurface", input_.density_isosurface,
                 "extract the surfaces of the densities beside orbitals, in bohr^-3")
        ->default_str("")
        ->check(number_above_0(1e6));
    o.add_option("--vertex-field", input_.vertex_fields,
                 "values to store on the vertices of isosurfaces: a list of density, "
                 "spin-density, gradient-norm, laplacian, tau, tau-laplacian, elf, lol, rdg, "
                 "sign-lambda2-density, esp, names of --combine and orbitals such as HOMO")
        ->check(not_empty("a list of fields"));
    o.add_flag("--grids", grids_too_, "write the grids in addition to isosurfaces");
    o.add_flag("--norms-only", norms_only_, "compute the norms only and write no grids");
    o.add_flag("--overlap-matrix", input_.overlap_matrix,
               "compute the overlaps of all chosen orbitals of a frame as sums over the grid");
}

void OrbitalCommand::declare_combination_options() {
    auto& o = *command_;
    o.add_option("--combine", input_.combine,
                 "compute a sum of densities, or of orbitals, \"NAME = EXPRESSION\", with numbers, "
                 "+ - * /, density, spin_density, transition_density, orbital(HOMO), and "
                 "orbital(HOMO)*orbital(LUMO); "
                 "density(b) and orbital(b, HOMO) are of the file b of --with, and density(3) of "
                 "frame 3; may be given several times")
        ->allow_extra_args(false)
        ->default_str("")
        ->check(not_empty("an expression"));
    o.add_option("--with", input_.with,
                 "NAME=FILE: a file that --combine calls by the name; may be given several times")
        ->allow_extra_args(false)
        ->default_str("")
        ->check(not_empty("a name and a file"));
    o.add_flag("--different-geometries", input_.different_geometries,
               "combine files whose atoms do not lie at the same places");
}

void OrbitalCommand::declare_potential_options() {
    auto& o = *command_;
    o.add_flag("--esp", esp_,
               "compute the electrostatic potential of nuclei and electrons, in hartree/e: on the "
               "grid, or at the points of --points");
    o.add_option("--points", input_.points,
                 "file of points x,y,z for --esp, one a line, in Angstrom; in bohr after the line "
                 "x_bohr,y_bohr,z_bohr")
        ->check(not_empty("a file"));
    o.add_option("--esp-surface", esp_surface_,
                 "extract the surface where the density is V bohr^-3, with the electrostatic "
                 "potential on its vertices; without V: 0.001")
        ->expected(0, 1)
        ->default_str("0.001")
        ->check(number_above_0(1e6));
    o.add_option("--esp-tolerance", input_.potential_tolerance,
                 "largest error of the electrostatic potential from neglected terms, in hartree/e; "
                 "0: neglect nothing");
}

// Commas within parentheses belong to an expression: "laplacian,density - density(a)".
void OrbitalCommand::take_expressions_of_fields() {
    std::string fields, item;
    int depth = 0;
    const auto take = [&] {
        if (item.find_first_of("(*/+=") != item.npos || item.find(" - ") != item.npos)
            input_.combine.push_back(item);
        else
            fields += (fields.empty() ? "" : ",") + item;
        item.clear();
    };
    for (const char c : input_.fields) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ',' && depth <= 0)
            take();
        else
            item += c;
    }
    take();
    input_.fields = fields;
}

void OrbitalCommand::expand_potential_options() {
    const auto add = [](std::string& list) {
        list += (list.empty() ? "" : ",") + std::string(orbitals::potential_name);
    };
    if (esp_ && (input_.fields.empty() || !asks_for_potential(input_))) add(input_.fields);
    if (esp_surface_ == 0) return;
    if (input_.density_isosurface > 0 || (input_.isosurface > 0 && input_.orbitals.empty()))
        throw Error("--esp-surface: the surface of the density already has a value",
                    "another option gives it", "give the value to --esp-surface alone");
    input_.density = true;
    input_.density_isosurface = esp_surface_;
    const auto given =
        input_.vertex_fields.empty()
            ? std::vector<orbitals::VertexField>{}
            : orbitals::parse_vertex_fields(input_.vertex_fields, combination_names(input_));
    using Kind = orbitals::VertexField::Kind;
    if (std::ranges::count(given, Kind::potential, &orbitals::VertexField::kind) == 0)
        add(input_.vertex_fields);
    esp_surface_ = 0;  // done
}

void OrbitalCommand::finish_input() {
    using namespace orbitals;
    take_expressions_of_fields();
    expand_potential_options();
    const auto vector_of = [](const std::vector<double>& v) { return Vec3{v[0], v[1], v[2]}; };
    if (!origin_.empty() && command_->count("--padding") > 0)
        throw Error("--padding and --origin exclude each other",
                    "--origin and --grid already say where the grid ends", "remove one of them");
    input_.spacing = vector_of(parse_lengths("--spacing", spacing_, 3, true, spacing_range));
    input_.padding = parse_lengths("--padding", padding_, 1, false, padding_range)[0];
    if (!origin_.empty())
        input_.origin = vector_of(parse_lengths("--origin", origin_, 3, false, origin_range));
    input_.cell_grid = grid_ == "cell";
    if (!grid_.empty() && !input_.cell_grid) input_.shape = parse_shape("--grid", grid_);
    if (input_.cell_grid && command_->count("--padding") > 0)
        throw Error("--padding and --grid cell exclude each other",
                    "a grid of one cell ends where the next cell begins", "remove one of them");
    if (!window_.empty()) input_.energy_window = parse_energy_window(window_);
    input_.double_precision = precision_ == "double";
    if (input_.compress_error > 0 && input_.deflate == 0) input_.deflate = 6;
    if (norms_only_ && grids_too_)
        throw Error("--norms-only and --grids exclude each other", "--norms-only writes no grids",
                    "remove one of them");
    if (norms_only_ && input_.mean_density)
        throw Error("--norms-only and --mean-density exclude each other",
                    "--norms-only writes no grids, and the mean is one", "remove one of them");
    const bool surfaces = input_.isosurface > 0 || input_.density_isosurface > 0;
    const bool only_points = computes_points_only(input_);
    input_.grids = !norms_only_ && !only_points && (!surfaces || grids_too_);
    if (!cube_.empty() && !input_.grids && !input_.mean_density)
        throw Error("--cube has nothing to write",
                    only_points ? "the potential is computed at --points, and not on a grid"
                                : "this run writes no grids",
                    only_points   ? "leave --points out for its grid, or leave --cube out"
                    : norms_only_ ? "leave --norms-only out"
                                  : "add --grids");
    if (!render_.empty() && !surfaces)
        throw Error("--render has nothing to draw", "this run makes no isosurface",
                    "add --isosurface 0.05");
    PictureOptions{.path = render_}.check();
    require_distinct({{"-o", options_.output}, {"--cube", cube_}, {"--render", render_}});
    validate(input_);
    keep_inputs();
}

void OrbitalCommand::keep_inputs() const {
    for (const std::string& path : files_of(input_)) io::keep_source(options_.output, path);
}

}  // namespace tessera::app
