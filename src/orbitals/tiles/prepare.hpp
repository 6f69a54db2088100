// From files to tiles: everything a rank needs before its first tile.
#pragma once

#include <string>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/wavefunctions/wavefunction.hpp"
#include "orbitals/selection/input.hpp"
#include "orbitals/selection/tracking.hpp"
#include "orbitals/tiles/tiling.hpp"

namespace tessera::orbitals {

/// One geometry of the run.
struct OrbitalFrame {
    io::Wavefunction wavefunction;
    int number = 1;                     ///< 1-based, over all files
    std::vector<TrackedOrbital> items;  ///< one an item of the selection
};

/// What the files hold.
struct FramesRead {
    std::vector<OrbitalFrame> frames;
    std::vector<std::string> sha256;  ///< of each file, as it was read
};

/// The same on every rank.
struct PreparedOrbitals {
    std::string input_sha256;  ///< of settings and file contents
    std::vector<OrbitalFrame> frames;
    std::vector<SelectedOrbital> selection;
    UniformGrid grid;  ///< bohr
    std::vector<OrbitalTile> tiles;
    std::vector<std::string> messages;  ///< what a user should know, one line each
};

/// The frames asked for, from all files in order.
FramesRead read_frames(const OrbitalInput& input, std::vector<std::string>& messages);

/// Selection, tracking, grid and tiles.
PreparedOrbitals prepare(const OrbitalInput& input, FramesRead read);

/// Weights of psi^2 in the density (occupations), or in the spin density (alpha minus beta).
/// Throws Error where a restricted file does not say which electrons are unpaired.
std::vector<double> density_weights(const io::Wavefunction& wavefunction, bool of_spin);

}  // namespace tessera::orbitals
