// The scalars that a user asks for on the vertices of isosurfaces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orbitals/selection/orbital_list.hpp"

namespace tessera::orbitals {

/// A scalar on vertices. `gradient_norm` is of the orbital or density to which the surface belongs.
struct VertexField {
    enum class Kind { density, spin_density, gradient_norm, orbital, potential, combination };
    Kind kind = Kind::density;
    /// "density", "spin_density", "gradient_norm", "esp", the orbital, or the combination
    std::string name;
    std::optional<OrbitalRequest> orbital = {};  ///< only of an orbital
    int combination = 0;                         ///< its index
};

/// Reads a list of density, spin-density, gradient-norm, esp, names of combinations and orbitals,
/// separated by commas. Throws Error naming the item.
std::vector<VertexField> parse_vertex_fields(const std::string& text,
                                             const std::vector<std::string>& combinations = {});

}  // namespace tessera::orbitals
