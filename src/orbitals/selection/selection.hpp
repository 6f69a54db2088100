// Finds the orbitals that a user asks for: HOMO, LUMO+1, 12:18, occupied, 3b, 2b1u, an energy
// window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"
#include "orbitals/selection/orbital_list.hpp"

namespace tessera::orbitals {

/// An item of the selection, which becomes one grid. HOMO, LUMO and symmetries are looked up in
/// each frame, and numbers are the same in all frames.
struct SelectedOrbital {
    std::string label;  ///< "HOMO-1", "7", "3b", "2b1u"
    OrbitalRequest::Kind kind = OrbitalRequest::Kind::numbers;
    int steps = 0;    ///< from HOMO or LUMO
    int orbital = 0;  ///< index into wavefunction.orbitals of the first frame
    io::Spin spin = io::Spin::alpha;
    std::string symmetry;  ///< as asked for; empty for the other kinds
};

/// The listed orbitals in the order of the list, with repeats, then the orbitals in the window. In
/// an unrestricted wavefunction HOMO without a suffix is the higher one of both spins, and LUMO the
/// lower one.
std::vector<SelectedOrbital> select_orbitals(const io::Wavefunction& wavefunction,
                                             const std::vector<OrbitalRequest>& requests,
                                             const std::optional<EnergyWindow>& window);

/// The indices of the same selection in another frame. Throws Error if the frame lacks an orbital.
std::vector<int> select_in_frame(const io::Wavefunction& wavefunction,
                                 const std::vector<SelectedOrbital>& selected);

/// For each orbital the words that choose it, separated by blanks: HOMO, LUMO and its symmetry. In
/// an unrestricted wavefunction also HOMOa, HOMOb, LUMOa and LUMOb.
std::vector<std::string> choosing_words(const io::Wavefunction& wavefunction);

/// Whether the orbital holds more than half an electron.
bool is_occupied(const io::MolecularOrbital& orbital);

}  // namespace tessera::orbitals
