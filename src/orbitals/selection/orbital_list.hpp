// Reads lists of orbitals, energy windows and lists of numbers from the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// An item of the list as typed.
struct OrbitalRequest {
    enum class Kind { homo, lumo, numbers, all, occupied, symmetry };
    Kind kind = Kind::homo;
    int first = 0;  ///< steps below HOMO or above LUMO, or the first number (1-based)
    int last = 0;   ///< the last number of a range
    std::optional<io::Spin> spin;
    std::string text;
    const char* option = "--orbitals";  ///< for errors about files that lack the orbital
};

/// Whether a request stands for one orbital, and not for a range or a set.
bool names_one_orbital(const OrbitalRequest& request);

/// Energies in hartree, both ends included.
struct EnergyWindow {
    double low = 0, high = 0;
};

/// Reads a list of HOMO[-n], LUMO[+n], N, N:M, all and occupied, separated by commas, in any case.
/// Each may have the suffix a or b for a spin. Numbers are 1-based positions in the file, with beta
/// after alpha. With a suffix they are positions among the orbitals of that spin. Other items that
/// begin with a number, such as 2b1u, are requests by symmetry (symmetry.hpp). Throws Error naming
/// the item.
std::vector<OrbitalRequest> parse_orbital_list(const std::string& text);

/// Reads "LOW:HIGH" in hartree, or in eV with the suffix eV.
EnergyWindow parse_energy_window(const std::string& text);

/// Reads 1-based numbers and ranges ("1,3,5:9") up to `largest`, for --frames.
std::vector<int> parse_numbers(const std::string& option, const std::string& text, int largest);

}  // namespace tessera::orbitals
