// The derived fields of the density that a user asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kokkos_kernels/orbitals/derived_field.hpp"

namespace tessera::orbitals {

/// One grid of a derived field, and what the result file says about it.
struct DensityField {
    std::optional<kernels::DerivedField> kind;  ///< nothing for the electrostatic potential
    std::string name;                           ///< in the file, such as "gradient_x"
    std::string units;
};

/// Reads a list of names, separated by commas: gradient (its three components), gradient-norm,
/// laplacian, tau, tau-laplacian, elf, lol, rdg, sign-lambda2-density, esp. Throws Error naming the
/// item that is none of them, or that is asked for twice.
std::vector<DensityField> parse_density_fields(const std::string& text);

/// The name of the electrostatic potential, among grids and on vertices.
inline constexpr const char* potential_name = "esp";
/// hartree per elementary charge
inline constexpr const char* potential_units = "hartree/e";

/// All fields that a file may hold.
const std::vector<DensityField>& density_fields();

}  // namespace tessera::orbitals
