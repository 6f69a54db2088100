// The symmetry of a complex of equal proteins.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::docking {

inline constexpr std::int64_t default_axes = 6000, default_rings = 100;

/// A ring of equal copies (Cn), or two such rings that two-fold axes turn onto each other (Dn), and
/// how finely it is searched.
struct Symmetry {
    int copies = 0;  ///< n of Cn and Dn; 0: receptor and ligand are docked as they are
    std::int64_t axes = default_axes;
    bool dihedral = false;               ///< Dn
    std::int64_t rings = default_rings;  ///< Dn: number of best rings that are docked in pairs

    bool is_set() const { return copies > 0; }
};

/// The symmetry of "Cn" with n from 2 to 24 or "Dn" with n from 2 to 12, or none of an empty text.
/// Its other members are those of `others`. Throws Error for all other texts.
Symmetry parse_symmetry(const std::string& text, const Symmetry& others = {});

/// "C3", "D2"
std::string name_of(const Symmetry& symmetry);

}  // namespace tessera::docking
