// The fields that are made of a density, its derivatives and those of its orbitals. Plain types.
#pragma once

#include <span>

namespace tessera::kernels {

/// Each is one number at a point, in atomic units. Formulas: docs/method/derived-fields.md.
enum class DerivedField {
    gradient_x,
    gradient_y,
    gradient_z,
    gradient_norm,
    laplacian,
    tau,            ///< kinetic energy density, positive everywhere
    tau_laplacian,  ///< kinetic energy density from the orbitals' Laplacians
    elf,            ///< electron localisation function
    lol,            ///< localised orbital locator
    rdg,            ///< reduced density gradient
    sign_lambda2_density
};
inline constexpr int derived_fields = 11;

/// The derivatives of orbitals that a field needs.
enum class FieldDerivatives { first, laplacian, hessian };

constexpr FieldDerivatives derivatives_of(DerivedField field) {
    switch (field) {
        case DerivedField::laplacian:
        case DerivedField::tau_laplacian: return FieldDerivatives::laplacian;
        case DerivedField::sign_lambda2_density: return FieldDerivatives::hessian;
        default: return FieldDerivatives::first;
    }
}

/// How often each row of a problem is occupied. In a closed shell alpha stands for all electrons,
/// and beta is empty.
struct FieldWeights {
    std::span<const double> alpha, beta;
};

/// The reduced density gradient grows without limit where the density vanishes. It ends here.
inline constexpr double largest_rdg = 1e6;

}  // namespace tessera::kernels
