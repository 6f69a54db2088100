// The scalars that a user asks for on the vertices of isosurfaces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kokkos_kernels/orbitals/derived_field.hpp"
#include "orbitals/selection/orbital_list.hpp"

namespace tessera::orbitals {

/// A scalar on vertices. `gradient_norm` is of the orbital or density to which the surface belongs.
/// The derived fields are those of the density of all electrons.
struct VertexField {
    enum class Kind {
        density,
        spin_density,
        gradient_norm,
        orbital,
        potential,
        combination,
        derived
    };
    Kind kind = Kind::density;
    /// "density", "spin_density", "gradient_norm", "esp", the orbital, the combination, or the
    /// derived field as in DensityField
    std::string name;
    std::optional<OrbitalRequest> orbital = {};  ///< only of an orbital
    int combination = 0;                         ///< its index
    kernels::DerivedField derived = kernels::DerivedField::laplacian;
};

/// Reads a list of density, spin-density, gradient-norm, laplacian, tau, tau-laplacian, elf, lol,
/// rdg, sign-lambda2-density, esp, names of combinations and orbitals, separated by commas. Throws
/// Error naming the item.
std::vector<VertexField> parse_vertex_fields(const std::string& text,
                                             const std::vector<std::string>& combinations = {});

}  // namespace tessera::orbitals
