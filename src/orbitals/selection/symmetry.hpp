// Orbitals by their symmetry labels: 2b1u, 2 B1u, or 2.3 as Molpro writes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// A label in small letters, without blanks. "2 B1u", "2b1u" and "2.b1u" are number 2 of irrep
/// "b1u", "1.3" is number 1 of irrep "3", and "B1u" has no number.
struct SymmetryLabel {
    std::optional<int> number;
    std::string irrep;
};
SymmetryLabel symmetry_label(std::string_view text);

/// Whether an item of a list has the form of a number and an irrep.
bool names_symmetry(std::string_view text);

/// An orbital that was found by its symmetry.
struct SymmetryMatch {
    std::string label;  ///< "2b1u", or "2b1ub" if the spin was given; valid as a name of a file
    int orbital = 0;    ///< index into wavefunction.orbitals
};

/// Finds number n of an irrep. If the file numbers the labels of the irrep itself, these numbers
/// count, and otherwise the order of energy. A final a or b that does not belong to an irrep of the
/// file is the spin. Throws Error, which names `option`, if the file has no such label, or if it
/// belongs to several orbitals.
SymmetryMatch find_by_symmetry(const io::Wavefunction& wavefunction, const std::string& text,
                               const char* option);

/// Whether the file tells orbitals apart by symmetry: whether they have several irreps.
bool has_symmetry(const io::Wavefunction& wavefunction);

/// For each orbital the name that find_by_symmetry() takes. Empty where there is none: without
/// has_symmetry(), or if several have the label.
std::vector<std::string> symmetry_names(const io::Wavefunction& wavefunction);

}  // namespace tessera::orbitals
