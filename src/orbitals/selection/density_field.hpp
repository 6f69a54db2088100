// The derived fields of the density that a user asks for.
#pragma once

#include <string>
#include <vector>

#include "kokkos_kernels/orbitals/derived_field.hpp"

namespace tessera::orbitals {

/// One grid of a derived field, and what the result file says about it.
struct DensityField {
    kernels::DerivedField kind = kernels::DerivedField::gradient_x;
    std::string name;  ///< in the file, such as "gradient_x"
    std::string units;
};

/// Reads a list of names, separated by commas: gradient (its three components), gradient-norm,
/// laplacian, tau, tau-laplacian, elf, lol, rdg, sign-lambda2-density. Throws Error naming the item
/// that is none of them, or that is asked for twice.
std::vector<DensityField> parse_density_fields(const std::string& text);

/// All fields that a file may hold.
const std::vector<DensityField>& density_fields();

}  // namespace tessera::orbitals
