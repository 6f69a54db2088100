// The scalars that a user asks for on the vertices of isosurfaces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orbitals/selection/orbital_list.hpp"

namespace tessera::orbitals {

/// A scalar on vertices. `gradient_norm` is of the orbital or density to which the surface belongs.
struct VertexField {
    enum class Kind { density, spin_density, gradient_norm, orbital, potential };
    Kind kind = Kind::density;
    std::string name;  ///< "density", "spin_density", "gradient_norm", "esp", or the orbital
    std::optional<OrbitalRequest> orbital;  ///< only of an orbital
};

/// Reads a list of density, spin-density, gradient-norm, esp and orbitals, separated by commas.
/// Throws Error naming the item.
std::vector<VertexField> parse_vertex_fields(const std::string& text);

}  // namespace tessera::orbitals
