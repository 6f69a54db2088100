// Which orbitals a user means: HOMO, LUMO+1, 12:18, occupied, 3b, an energy window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// One item of the list as typed.
struct OrbitalRequest {
    enum class Kind { homo, lumo, numbers, all, occupied };
    Kind kind = Kind::homo;
    int first = 0;  ///< steps below HOMO or above LUMO; number (1-based)
    int last = 0;   ///< of a range of numbers
    std::optional<io::Spin> spin;
    std::string text;
};

/// Energies in hartree, both ends included.
struct EnergyWindow {
    double low = 0, high = 0;
};

/// One grid to be made. HOMO and LUMO are looked up in each frame, numbers stay what they are.
struct SelectedOrbital {
    std::string label;  ///< "HOMO-1", "7", "3b"
    OrbitalRequest::Kind kind = OrbitalRequest::Kind::numbers;
    int steps = 0;    ///< from HOMO or LUMO
    int orbital = 0;  ///< index into wavefunction.orbitals of the first frame
    io::Spin spin = io::Spin::alpha;
};

/// HOMO[-n], LUMO[+n], N, N:M, all, occupied, each with an optional a or b behind it; separated by
/// commas, any case. Numbers are 1-based positions in the file, beta after alpha; with a suffix
/// positions among the orbitals of that spin. Throws Error naming the item.
std::vector<OrbitalRequest> parse_orbital_list(const std::string& text);

/// "LOW:HIGH" in hartree, or both in eV with the suffix eV.
EnergyWindow parse_energy_window(const std::string& text);

/// Whole 1-based numbers and ranges ("1,3,5:9"), each at most `largest`; for --frames.
std::vector<int> parse_numbers(const std::string& option, const std::string& text, int largest);

/// The list in the order asked for, repeats kept, then what lies in the window. HOMO of an
/// unrestricted wavefunction without a suffix is the higher one of both spins, LUMO the lower one.
std::vector<SelectedOrbital> select_orbitals(const io::Wavefunction& wavefunction,
                                             const std::vector<OrbitalRequest>& requests,
                                             const std::optional<EnergyWindow>& window);

/// Indices of the same selection in another frame. Throws Error where it lacks one of them.
std::vector<int> select_in_frame(const io::Wavefunction& wavefunction,
                                 const std::vector<SelectedOrbital>& selected);

/// More than half an electron.
bool is_occupied(const io::MolecularOrbital& orbital);

}  // namespace tessera::orbitals
