// The input of an orbital run with all its defaults.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "core/vec3.hpp"
#include "orbitals/selection/selection.hpp"

namespace tessera::orbitals {

/// The allowed range of a length, bohr.
struct LengthRange {
    double low = -HUGE_VAL, high = HUGE_VAL;
};
inline constexpr LengthRange spacing_range{1e-4, 100}, padding_range{0, 1000},
    origin_range{-1e6, 1e6};

struct OrbitalInput {
    std::vector<std::string> paths;
    std::string orbitals;  ///< list as typed; empty: none, or HOMO if nothing else is asked for
    std::optional<EnergyWindow> energy_window;
    std::string frames;  ///< list as typed; empty: all
    /// Of this density matrix of the files, instead of their orbitals; empty: their orbitals.
    std::string natural_orbitals;
    /// The excited state whose natural transition orbitals are taken, or the file of a transition
    /// density of the orbitals; empty: none.
    std::string transition_orbitals;
    Vec3 spacing = (0.075 / units::bohr_in_angstrom) * Vec3{1, 1, 1};  ///< bohr
    double padding = 3 / units::bohr_in_angstrom;                      ///< bohr, around all nuclei
    std::optional<Vec3> origin;                                        ///< bohr; only with shape
    std::optional<std::array<std::int64_t, 3>> shape;                  ///< points along x, y, z
    bool cell_grid = false;  ///< a grid that spans one cell, from the origin or from 0, 0, 0
    bool isolated = false;   ///< periodic systems as one molecule
    bool density = false;
    bool spin_density = false;
    bool mean_density = false;          ///< the mean of the density over all frames
    std::string fields;                 ///< derived fields of the density, list as typed
    std::vector<std::string> combine;   ///< combinations, "NAME = EXPRESSION" as typed
    std::vector<std::string> with;      ///< files of combinations, "NAME=FILE" as typed
    bool different_geometries = false;  ///< combine files whose atoms lie at different places
    std::string points;                 ///< file of points for the potential; empty: on the grid
    double tolerance = 1e-6;            ///< bohr^-3/2; 0: no screening
    double potential_tolerance = 1e-6;  ///< hartree/e; 0: no screening
    bool double_precision = false;
    /// Of orbitals, bohr^-3/2, or of densities, bohr^-3, if there are no orbitals; 0: none.
    double isosurface = 0;
    double density_isosurface = 0;  ///< of densities beside orbitals, bohr^-3; 0: none
    std::string vertex_fields;      ///< list as typed
    bool grids = true;              ///< write grids, not only norms and surfaces
    bool overlap_matrix = false;    ///< overlaps of a frame's chosen orbitals, summed over the grid
    bool track = false;             ///< follow orbitals from frame to frame by their overlap
    bool repair_norms = false;      ///< undo the normalisation of other programs
    int deflate = 0;                ///< gzip level of the grids; 0: uncompressed
    double compress_error = 0;      ///< of stored grids, in their own units; 0: exact
    bool zfp = false;               ///< pack such grids with zfp instead of gzip
};

/// Whether any result needs the density of every frame.
inline bool needs_density(const OrbitalInput& input) { return input.density || input.mean_density; }

/// The file of the transition density, or empty if there is none or it is in the file of the
/// orbitals.
std::string transition_file_of(const OrbitalInput& input);

/// All files that the run reads.
std::vector<std::string> files_of(const OrbitalInput& input);

/// The names of the combinations, in their order. Throws Error for expressions that are wrong.
std::vector<std::string> combination_names(const OrbitalInput& input);

/// Whether the potential is asked for, on the grid or at points. Throws Error for unknown fields.
bool asks_for_potential(const OrbitalInput& input);

/// Throws Error for the first option that is out of its range. Called after the defaults are set.
void validate(const OrbitalInput& input);

/// The input as JSON text with a key for each option. Runs are compared by this text.
std::string to_json(const OrbitalInput& input);

}  // namespace tessera::orbitals
