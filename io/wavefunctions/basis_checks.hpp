// Checks of a basis that all wavefunction readers share.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

constexpr double bohr_in_angstrom = 0.529177210903;  // CODATA 2018

/// Of a shell. The largest published contractions have about 40 primitives.
constexpr int most_primitives = 100;
constexpr double most_coefficients = 2e9;  ///< functions x orbitals: 16 GB

inline void check_primitive(const TextScanner& scanner, double exponent) {
    if (!(exponent >= 1e-10 && exponent <= 1e14))
        scanner.fail("the exponent of a primitive is not within 1e-10 and 1e14 bohr^-2",
                     "check the basis of the file");
}

/// False if the primitives cancel up to rounding, so that nothing is left to normalise. Sums c_p
/// c_q <p|q> of normalised primitives.
inline bool can_be_normalised(const BasisShell& shell) {
    double overlap = 0, terms = 0;
    for (std::size_t p = 0; p < shell.exponents.size(); ++p)
        for (std::size_t q = 0; q < shell.exponents.size(); ++q) {
            const double a = shell.exponents[p], b = shell.exponents[q];
            const double term = shell.coefficients[p] * shell.coefficients[q] *
                                std::pow(2 * std::sqrt(a * b) / (a + b), shell.l + 1.5);
            overlap += term;
            terms += std::abs(term);
        }
    return std::isfinite(overlap) && overlap > 1e-14 * terms;
}

/// The name of the next shell, such as "shell 3 (d) of atom 2 (H)".
inline std::string name_of_next_shell(const Wavefunction& frame, const BasisShell& shell) {
    const auto number = 1 + std::count_if(frame.shells.begin(), frame.shells.end(),
                                          [&](const auto& s) { return s.atom == shell.atom; });
    return "shell " + std::to_string(number) + " (" + "spdfgh"[static_cast<std::size_t>(shell.l)] +
           ") of atom " + std::to_string(shell.atom + 1) + " (" +
           frame.nuclei[static_cast<std::size_t>(shell.atom)].symbol + ")";
}

/// Checks a shell before it is added to the frame. `where` is the start of the shell in the text.
inline void check_shell(const TextScanner& scanner, const char* where, const Wavefunction& frame,
                        const BasisShell& shell) {
    const auto is_zero = [](double c) { return c == 0; };
    const auto is_wild = [](double c) { return !(std::abs(c) < 1e10); };
    if (std::all_of(shell.coefficients.begin(), shell.coefficients.end(), is_zero))
        scanner.fail_at(where, "all contraction coefficients of the shell are 0",
                        "check the basis of the file");
    if (std::any_of(shell.coefficients.begin(), shell.coefficients.end(), is_wild))
        scanner.fail_at(where, "a contraction coefficient is beyond 1e10",
                        "check the basis of the file");
    if (!can_be_normalised(shell))
        scanner.fail_at(where,
                        "the primitives of " + name_of_next_shell(frame, shell) +
                            " cancel: its self-overlap is 0",
                        "check the basis of the file");
}

inline void check_position(const TextScanner& scanner, const Vec3& position) {
    if (!(std::abs(position.x) < 1e5 && std::abs(position.y) < 1e5 && std::abs(position.z) < 1e5))
        scanner.fail("an atom lies beyond 1e5 bohr", "check the geometry of the file");
}

/// Cells are at least 1 bohr long and far from flat, so that few images lie in any box.
inline void check_lattice(const TextScanner& scanner, const Lattice& lattice) {
    double edges = 1;
    for (const Vec3& v : lattice.vectors) {
        edges *= norm(v);
        if (!(norm(v) >= 1 && norm(v) < 1e5))
            scanner.fail("a vector of the cell is not between 1 and 1e5 bohr long",
                         "check the cell and its unit");
    }
    if (!(lattice.volume() >= 0.05 * edges))
        scanner.fail("the cell has no volume: its vectors lie in a plane, or nearly so",
                     "give three vectors of a periodic system, or leave out the cell");
}

/// Every atom with a charge must have basis functions. Ghosts and dummies (charge 0) need none.
inline void check_every_atom_has_a_basis(const TextScanner& scanner, const Wavefunction& frame) {
    std::vector<bool> has_shells(frame.nuclei.size(), false);
    for (const BasisShell& shell : frame.shells)
        has_shells[static_cast<std::size_t>(shell.atom)] = true;
    for (std::size_t i = 0; i < has_shells.size(); ++i)
        if (!has_shells[i] && frame.nuclei[i].charge > 0)
            scanner.fail("atom " + std::to_string(i + 1) + " (" + frame.nuclei[i].symbol +
                             ") has no basis functions",
                         "write the file again with the basis of every atom");
}

inline void check_size(const TextScanner& scanner, double functions, double orbitals) {
    if (functions * orbitals > most_coefficients)
        scanner.fail("more than 2e9 orbital coefficients", "write fewer orbitals into the file");
}

}  // namespace tessera::io
