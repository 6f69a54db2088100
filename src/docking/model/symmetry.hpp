// The symmetry of a complex of equal proteins.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::docking {

inline constexpr std::int64_t default_axes = 6000;

/// A ring of equal copies (Cn), and how finely its axes are searched.
struct Symmetry {
    int copies = 0;  ///< n of Cn; 0: receptor and ligand are docked as they are
    std::int64_t axes = default_axes;

    bool is_set() const { return copies > 0; }
};

/// The n of "Cn" with n from 2 to 24, or 0 for an empty text. Throws Error for all others.
int parse_copies(const std::string& text);

/// "C3"
std::string name_of(const Symmetry& symmetry);

}  // namespace tessera::docking
