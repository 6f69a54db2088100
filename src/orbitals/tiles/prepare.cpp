#include "orbitals/tiles/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/files/sha256.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/basis/hermite_density.hpp"
#include "orbitals/basis/norm_repair.hpp"
#include "orbitals/basis/overlap.hpp"
#include "orbitals/selection/unused_options.hpp"
#include "orbitals/tiles/checks.hpp"
#include "orbitals/tiles/combined_sources.hpp"
#include "orbitals/tiles/grid.hpp"

namespace tessera::orbitals {

namespace {

/// Below this overlap the orbitals of two frames are hardly the same.
constexpr double doubtful_overlap = 0.5;

void repair(std::vector<OrbitalFrame>& frames, std::vector<std::string>& messages) {
    for (OrbitalFrame& frame : frames)
        if (const std::string habit = repair_norms(frame.wavefunction); !habit.empty())
            messages.push_back(fmt::format("frame {}: norms repaired: {}", frame.number, habit));
}

void follow(std::vector<OrbitalFrame>& frames, std::vector<std::string>& messages) {
    for (std::size_t f = 1; f < frames.size(); ++f) {
        const io::Wavefunction& before = frames[f - 1].wavefunction;
        const io::Wavefunction& now = frames[f].wavefunction;
        if (before.lattice != now.lattice)
            throw Error(fmt::format("--track: frame {} has another cell than the frame before",
                                    frames[f].number),
                        "orbitals of two lattices have no overlap",
                        "track frames of one cell, or add --isolated for molecules in large cells");
        frames[f].items = track(before, frames[f - 1].items, now, overlap_between(before, now));
        const auto worst = std::ranges::min_element(frames[f].items, {}, &TrackedOrbital::overlap);
        if (worst != frames[f].items.end() && worst->overlap < doubtful_overlap)
            messages.push_back(fmt::format(
                "warning: frame {}: an orbital keeps only {:.2f} of its overlap with the frame "
                "before (degenerate or mixing levels cannot be told apart)",
                frames[f].number, worst->overlap));
    }
}

void require_overlaps(const OrbitalInput& input, std::size_t items) {
    constexpr std::size_t most = 4096;  // 128 MiB a frame in the file
    if (!input.overlap_matrix || (items > 0 && items <= most)) return;
    throw Error(fmt::format("--overlap-matrix of {} orbitals", items),
                items == 0 ? "only densities are asked for"
                           : fmt::format("a run takes at most {} orbitals", most),
                items == 0 ? "add --orbitals" : "choose fewer orbitals");
}

/// Chooses the levels of the surfaces. Throws Error if a surface is asked for of what the run does
/// not compute, or if the result would have neither a surface nor a grid of what it computes.
void choose_levels(const OrbitalInput& input, PreparedOrbitals& p) {
    const auto of_orbitals = std::ranges::count_if(p.combinations, &Combination::of_orbitals);
    const bool items = !p.selection.empty() || of_orbitals > 0;
    const bool densities =
        input.density || input.spin_density || of_orbitals < std::ssize(p.combinations);
    if (input.density_isosurface > 0 && !densities)
        throw Error("--density-isosurface: no density is chosen", "the run computes none",
                    "add --density or --spin-density");
    if (input.isosurface > 0 && !items && !densities)
        throw Error("--isosurface: neither an orbital nor a density is chosen",
                    input.mean_density            ? "a mean density has no isosurface"
                    : computes_points_only(input) ? "the potential at --points has no isosurface"
                                                  : "fields of --field or --esp have none",
                    "add --orbitals or --density, or leave it out");
    if (input.isosurface > 0 && !items && input.density_isosurface > 0)
        throw Error("--isosurface: no orbital is chosen",
                    "--density-isosurface already says where the surface of the density lies",
                    "add --orbitals, or leave out --isosurface");
    if (items) p.orbital_level = input.isosurface;
    p.density_level =
        items || input.density_isosurface > 0 ? input.density_isosurface : input.isosurface;
    const bool surfaces = p.orbital_level > 0 || p.density_level > 0;
    if (!surfaces || input.grids) return;
    if (densities && p.density_level == 0)
        throw Error(
            "--isosurface with a density: the result would have neither a surface nor a grid of "
            "the density",
            "beside orbitals it is the value of the orbitals, and grids are written only on "
            "request",
            "add --density-isosurface VALUE or --grids, or leave out the density");
    if (items && p.orbital_level == 0)
        throw Error("--density-isosurface with orbitals: the result would have neither surfaces "
                    "nor grids of the orbitals",
                    "it is the value of the density", "add --isosurface VALUE or --grids");
}

/// Finds the orbital of a vertex field in every frame. In a tracked run it is one of the tracked
/// orbitals, so that it keeps its sign.
void select_field(std::size_t number, bool tracked, PreparedOrbitals& p) {
    VertexField& field = p.vertex_fields[number];
    const auto chosen = select_orbitals(p.frames[0].wavefunction, {*field.orbital}, {});
    field.name = chosen.front().label;
    const auto known = std::ranges::find(p.selection, field.name, &SelectedOrbital::label);
    const bool is_item = known != p.selection.end();
    if (tracked && !is_item)
        throw Error("--vertex-field: " + field.name + " is not among the orbitals of the run",
                    "with --track only these are followed", "add it to --orbitals");
    for (OrbitalFrame& frame : p.frames)
        frame.fields[number] =
            is_item ? frame.items[static_cast<std::size_t>(known - p.selection.begin())]
                    : TrackedOrbital{select_in_frame(frame.wavefunction, chosen).front()};
}

void select_fields(const OrbitalInput& input, PreparedOrbitals& p) {
    if (input.vertex_fields.empty()) return;
    p.vertex_fields = parse_vertex_fields(input.vertex_fields, combination_names(input));
    for (OrbitalFrame& frame : p.frames) frame.fields.resize(p.vertex_fields.size());
    for (std::size_t i = 0; i < p.vertex_fields.size(); ++i) {
        if (p.vertex_fields[i].orbital) select_field(i, input.track, p);
        const std::string& name = p.vertex_fields[i].name;
        if (std::ranges::count(p.vertex_fields, name, &VertexField::name) > 1)
            throw Error("--vertex-field: " + name + " is asked for twice",
                        "every field is written once", "name it once");
    }
}

void select(const OrbitalInput& input, PreparedOrbitals& p) {
    const bool default_list = input.orbitals.empty() && !input.energy_window &&
                              !needs_density(input) && !input.spin_density &&
                              input.fields.empty() && input.combine.empty();
    const std::string list = default_list ? "HOMO" : input.orbitals;
    if (!list.empty() || input.energy_window)
        p.selection =
            select_orbitals(p.frames[0].wavefunction,
                            list.empty() ? std::vector<OrbitalRequest>{} : parse_orbital_list(list),
                            input.energy_window);
    for (OrbitalFrame& frame : p.frames) {
        frame.items.clear();
        if (input.track && frame.number != p.frames[0].number) continue;
        for (const int orbital : select_in_frame(frame.wavefunction, p.selection))
            frame.items.push_back({orbital});
    }
    require_overlaps(input, p.selection.size());
    choose_levels(input, p);
    if (p.orbital_level > 0 && p.density_level == 0 && (input.density || input.spin_density))
        p.messages.push_back("note: isosurfaces are made of the orbitals, not of the density");
    if (input.track) follow(p.frames, p.messages);
    select_fields(input, p);
    if (input.fields.empty()) return;
    p.density_fields = parse_density_fields(input.fields);
    const auto potentials =
        std::erase_if(p.density_fields, [](const DensityField& field) { return !field.kind; });
    p.potential = potentials > 0 && input.points.empty();
}

/// The charge of nuclei and electrons decides the potential far away. A large one means that core
/// electrons, or occupations, are missing in the file.
void note_charges(PreparedOrbitals& p) {
    constexpr double doubtful = 4.5;
    for (const OrbitalFrame& frame : p.frames) {
        double charge = 0;
        for (const io::Nucleus& nucleus : frame.wavefunction.nuclei)
            charge += nucleus.charge_without_core();
        for (const double n : density_weights(frame.wavefunction, false)) charge -= n;
        if (std::abs(charge) < doubtful) continue;
        p.messages.push_back(fmt::format(
            "warning: frame {}: nuclei and electrons together have the charge {:+.4g}, and the "
            "electrostatic potential is that of this ion (pseudopotentials, or orbitals that the "
            "file lacks?)",
            frame.number, charge));
        return;
    }
}

std::string describe(const UniformGrid& grid) {
    return fmt::format(
        "grid: {} x {} x {} points, spacing {:.4g} x {:.4g} x {:.4g} A", grid.shape[0],
        grid.shape[1], grid.shape[2], grid.spacing.x * units::bohr_in_angstrom,
        grid.spacing.y * units::bohr_in_angstrom, grid.spacing.z * units::bohr_in_angstrom);
}

}  // namespace

namespace {

void warn_of(const std::vector<OrbitalFrame>& frames, std::vector<std::string>& messages) {
    for (const std::string& warning : check_orbitals(frames))
        messages.push_back("warning: " + warning);
}

std::string hash_of(const OrbitalInput& input, const std::vector<std::string>& files) {
    std::string text = to_json(input);
    for (const std::string& sha256 : files) text += sha256;
    return io::sha256_of(text);
}

}  // namespace

bool has_potential(const PreparedOrbitals& prepared) {
    return prepared.potential || !prepared.points.empty() ||
           std::ranges::count(prepared.vertex_fields, VertexField::Kind::potential,
                              &VertexField::kind) > 0;
}

PreparedOrbitals prepare(const OrbitalInput& input, FramesRead read) {
    PreparedOrbitals p;
    p.input_sha256 = hash_of(input, read.sha256);
    p.frames = std::move(read.frames);
    p.points = std::move(read.points);
    p.sources = std::move(read.sources);
    // Cheap checks come first.
    std::vector<const io::Wavefunction*> wavefunctions;
    const auto add_all = [&](const std::vector<OrbitalFrame>& frames) {
        for (const OrbitalFrame& frame : frames) wavefunctions.push_back(&frame.wavefunction);
    };
    add_all(p.frames);
    for (const CombinedSource& source : p.sources) add_all(source.frames);
    p.grid = make_grid(input, wavefunctions);
    if (input.repair_norms) repair(p.frames, p.messages);
    for (CombinedSource& source : p.sources)
        if (input.repair_norms) repair(source.frames, p.messages);
    p.combinations = parse_combinations(input.combine);
    select(input, p);
    check_combinations(input, p);
    warn_of(p.frames, p.messages);
    for (const CombinedSource& source : p.sources)
        if (!is_frame_number(source.name)) warn_of(source.frames, p.messages);
    for (const OrbitalFrame& frame : p.frames) {
        using Kind = VertexField::Kind;
        const auto on_vertices = [&](Kind kind) {
            return std::ranges::count(p.vertex_fields, kind, &VertexField::kind) > 0;
        };
        if (needs_density(input) || on_vertices(Kind::density) || on_vertices(Kind::derived) ||
            !p.density_fields.empty() || has_potential(p))
            density_weights(frame.wavefunction, false);
        if (input.spin_density || on_vertices(Kind::spin_density))
            density_weights(frame.wavefunction, true);
    }
    p.tiles = cut_tiles(
        {static_cast<std::int32_t>(p.frames.size()), static_cast<std::int32_t>(p.selection.size()),
         input.grids, input.density, input.spin_density, p.orbital_level > 0, p.grid.shape,
         input.overlap_matrix, input.mean_density, p.density_level > 0,
         static_cast<std::int32_t>(p.density_fields.size()), p.potential, std::ssize(p.points),
         static_cast<std::int32_t>(p.combinations.size()), surfaces_of_combinations(p)});
    if (!computes_points_only(input)) p.messages.push_back(describe(p.grid));
    for (const std::string& line : unused_options(input)) p.messages.push_back("warning: " + line);
    if (!has_potential(p)) return p;
    for (const OrbitalFrame& frame : p.frames) require_isolated(frame.wavefunction);
    note_charges(p);
    return p;
}

}  // namespace tessera::orbitals
