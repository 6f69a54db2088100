// Finds the orbitals that a user asks for: HOMO, LUMO+1, 12:18, occupied, 3b, an energy window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// An item of the list as typed.
struct OrbitalRequest {
    enum class Kind { homo, lumo, numbers, all, occupied };
    Kind kind = Kind::homo;
    int first = 0;  ///< steps below HOMO or above LUMO, or the first number (1-based)
    int last = 0;   ///< the last number of a range
    std::optional<io::Spin> spin;
    std::string text;
};

/// Energies in hartree, both ends included.
struct EnergyWindow {
    double low = 0, high = 0;
};

/// An item of the selection, which becomes one grid. HOMO and LUMO are looked up in each frame, and
/// numbers are the same in all frames.
struct SelectedOrbital {
    std::string label;  ///< "HOMO-1", "7", "3b"
    OrbitalRequest::Kind kind = OrbitalRequest::Kind::numbers;
    int steps = 0;    ///< from HOMO or LUMO
    int orbital = 0;  ///< index into wavefunction.orbitals of the first frame
    io::Spin spin = io::Spin::alpha;
};

/// Reads a list of HOMO[-n], LUMO[+n], N, N:M, all and occupied, separated by commas, in any case.
/// Each may have the suffix a or b for a spin. Numbers are 1-based positions in the file, with beta
/// after alpha. With a suffix they are positions among the orbitals of that spin. Throws Error
/// naming the item.
std::vector<OrbitalRequest> parse_orbital_list(const std::string& text);

/// Reads "LOW:HIGH" in hartree, or in eV with the suffix eV.
EnergyWindow parse_energy_window(const std::string& text);

/// Reads 1-based numbers and ranges ("1,3,5:9") up to `largest`, for --frames.
std::vector<int> parse_numbers(const std::string& option, const std::string& text, int largest);

/// The listed orbitals in the order of the list, with repeats, then the orbitals in the window. In
/// an unrestricted wavefunction HOMO without a suffix is the higher one of both spins, and LUMO the
/// lower one.
std::vector<SelectedOrbital> select_orbitals(const io::Wavefunction& wavefunction,
                                             const std::vector<OrbitalRequest>& requests,
                                             const std::optional<EnergyWindow>& window);

/// The indices of the same selection in another frame. Throws Error if the frame lacks an orbital.
std::vector<int> select_in_frame(const io::Wavefunction& wavefunction,
                                 const std::vector<SelectedOrbital>& selected);

/// Whether the orbital holds more than half an electron.
bool is_occupied(const io::MolecularOrbital& orbital);

}  // namespace tessera::orbitals
