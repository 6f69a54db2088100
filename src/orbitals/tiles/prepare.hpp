// Turns the input files into everything that a rank needs before its first tile.
#pragma once

#include <string>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/wavefunctions/wavefunction.hpp"
#include "orbitals/selection/combination.hpp"
#include "orbitals/selection/density_field.hpp"
#include "orbitals/selection/input.hpp"
#include "orbitals/selection/tracking.hpp"
#include "orbitals/selection/vertex_field.hpp"
#include "orbitals/tiles/tiling.hpp"

namespace tessera::orbitals {

/// A frame of the run, with one geometry.
struct OrbitalFrame {
    io::Wavefunction wavefunction;
    int number = 1;                           ///< 1-based, counted over all files
    std::vector<TrackedOrbital> items;        ///< one for each item of the selection
    std::vector<TrackedOrbital> fields = {};  ///< one for each vertex field, for those of orbitals
};

/// What combinations name: a file beside those of the run, or a frame of the run by its number.
struct CombinedSource {
    std::string name;
    std::vector<OrbitalFrame> frames;
};

/// The contents of the files.
struct FramesRead {
    std::vector<OrbitalFrame> frames;
    std::vector<CombinedSource> sources;
    std::vector<std::string> sha256;  ///< hash of each file as it was read
    std::vector<Vec3> points = {};    ///< for the potential, bohr
};

/// The prepared input. It is the same on every rank.
struct PreparedOrbitals {
    std::string input_sha256;  ///< hash of the settings and the file contents
    std::vector<OrbitalFrame> frames;
    std::vector<SelectedOrbital> selection;
    std::vector<VertexField> vertex_fields;
    std::vector<Combination> combinations;
    std::vector<CombinedSource> sources;  ///< of combinations, beside the frames
    bool different_geometries = false, tracked = false;
    std::vector<DensityField> density_fields;  ///< without the potential
    bool potential = false;                    ///< on the grid
    std::vector<Vec3> points;                  ///< of the potential beside the grid, bohr
    double orbital_level = 0;  ///< of isosurfaces of the selection, bohr^-3/2; 0: none
    double density_level = 0;  ///< of isosurfaces of the densities, bohr^-3; 0: none
    UniformGrid grid;          ///< bohr
    std::vector<OrbitalWork> tiles;
    std::vector<std::string> messages;  ///< what a user should know, one line each
};

/// Whether the run computes the electrostatic potential anywhere.
bool has_potential(const PreparedOrbitals& prepared);

/// Reads the chosen frames from all files in order.
FramesRead read_frames(const OrbitalInput& input, std::vector<std::string>& messages);

/// Makes the selection, the tracking, the grid and the tiles.
PreparedOrbitals prepare(const OrbitalInput& input, FramesRead read);

/// The weights of psi^2 in the density (occupations) or in the spin density (alpha minus beta).
/// Throws Error if a restricted file does not say which electrons are unpaired, or if no orbital is
/// occupied.
std::vector<double> density_weights(const io::Wavefunction& wavefunction, bool of_spin);

/// How often each orbital is occupied by alpha and by beta electrons. If no electron is known to be
/// unpaired, alpha stands for all electrons, and beta is empty. Throws Error as density_weights().
struct SpinOccupations {
    std::vector<double> alpha, beta;
};
SpinOccupations spin_occupations(const io::Wavefunction& wavefunction);

/// The orbitals with electrons, by their index in the file, and how often each is occupied. Derived
/// fields are made of these alone. Throws Error as density_weights().
struct OccupiedOrbitals {
    std::vector<int> orbitals;
    SpinOccupations occupations;
};
OccupiedOrbitals occupied_orbitals(const io::Wavefunction& wavefunction);

}  // namespace tessera::orbitals
