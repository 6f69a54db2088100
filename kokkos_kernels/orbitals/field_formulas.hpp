// The formulas of derived fields at a point.
#pragma once

#include "kokkos_kernels/orbitals/field_cut.hpp"

namespace tessera::kernels {

/// The sums over orbitals at the points of a part of a tile (FieldSumsAt), and fields made of them.
/// docs/method/derived-fields.md gives the sources.
template <FieldDerivatives D, int Points>
struct FieldFormulas {
    using At = FieldSumsAt<D>;
    const double* sums;  ///< [At::count][Points]
    bool polarised;      ///< alpha and beta electrons differ

    template <DerivedField F>
    KOKKOS_INLINE_FUNCTION double value(int i) const {
        if constexpr (F == DerivedField::gradient_x) return gradient(0, i);
        if constexpr (F == DerivedField::gradient_y) return gradient(1, i);
        if constexpr (F == DerivedField::gradient_z) return gradient(2, i);
        if constexpr (F == DerivedField::gradient_norm) return gradient_norm(i);
        if constexpr (F == DerivedField::laplacian) return 2 * (at(At::squares, i) + curvature(i));
        if constexpr (F == DerivedField::tau) return tau(i);
        if constexpr (F == DerivedField::tau_laplacian) return -0.5 * curvature(i);
        if constexpr (F == DerivedField::elf) return elf(i);
        if constexpr (F == DerivedField::lol) return lol(i);
        if constexpr (F == DerivedField::rdg) return rdg(i);
        if constexpr (F == DerivedField::sign_lambda2_density) return sign_lambda2(i) * density(i);
    }

  private:
    KOKKOS_INLINE_FUNCTION double at(int sum, int i) const { return sums[sum * Points + i]; }
    KOKKOS_INLINE_FUNCTION double density(int i) const {
        return at(At::alpha, i) + at(At::beta, i);
    }
    KOKKOS_INLINE_FUNCTION double gradient(int axis, int i) const {
        return 2 * (at(At::alpha + 1 + axis, i) + at(At::beta + 1 + axis, i));
    }
    KOKKOS_INLINE_FUNCTION double gradient_norm(int i) const {
        const double x = gradient(0, i), y = gradient(1, i), z = gradient(2, i);
        return Kokkos::sqrt(x * x + y * y + z * z);
    }
    KOKKOS_INLINE_FUNCTION double tau(int i) const { return 0.5 * at(At::squares, i); }

    /// sum of w psi * Laplacian of psi
    KOKKOS_INLINE_FUNCTION double curvature(int i) const {
        if constexpr (D == FieldDerivatives::laplacian) return at(At::second, i);
        if constexpr (D == FieldDerivatives::hessian)
            return at(At::second, i) + at(At::second + 3, i) + at(At::second + 5, i) -
                   at(At::squares, i);
        return 0;
    }

    /// |grad rho|^2 / (8 rho) of one spin, or of all electrons
    KOKKOS_INLINE_FUNCTION double weizsaecker(int spin, int i) const {
        const double rho = at(spin, i);
        double square = 0;
        for (int a = 1; a <= 3; ++a) square += at(spin + a, i) * at(spin + a, i);
        return rho > 0 ? 0.5 * (square / rho) : 0.0;
    }

    /// Kinetic energy density of the uniform electron gas with these spin densities.
    KOKKOS_INLINE_FUNCTION double uniform_gas(int i) const {
        constexpr double closed = 2.871234000188191;    // 3/10 (3 pi^2)^(2/3)
        constexpr double one_spin = 4.557799872345596;  // 3/10 (6 pi^2)^(2/3)
        const double alpha = power_5_3(at(At::alpha, i));
        return polarised ? one_spin * (alpha + power_5_3(at(At::beta, i))) : closed * alpha;
    }
    KOKKOS_INLINE_FUNCTION static double power_5_3(double x) {
        const double root = Kokkos::cbrt(x);
        return x * root * root;
    }

    KOKKOS_INLINE_FUNCTION double elf(int i) const {
        const double uniform = uniform_gas(i);
        if (!(uniform > 0)) return 0;
        const double pauli = tau(i) - weizsaecker(At::alpha, i) - weizsaecker(At::beta, i);
        const double chi = pauli / uniform;
        return 1 / (1 + chi * chi);
    }
    KOKKOS_INLINE_FUNCTION double lol(int i) const {
        const double uniform = uniform_gas(i);
        return uniform > 0 ? uniform / (uniform + tau(i)) : 0.0;
    }
    KOKKOS_INLINE_FUNCTION double rdg(int i) const {
        constexpr double factor = 6.187335452560271;  // 2 (3 pi^2)^(1/3)
        const double rho = density(i);
        const double value = gradient_norm(i) / (factor * rho * Kokkos::cbrt(rho));
        return value < largest_rdg ? value : largest_rdg;
    }

    /// The sign of the middle eigenvalue of the density's Hessian. All roots of its characteristic
    /// polynomial l^3 - t l^2 + m l - d are real, so by Descartes' rule the changes of sign are the
    /// number of positive roots.
    KOKKOS_INLINE_FUNCTION double sign_lambda2(int i) const {
        if constexpr (D != FieldDerivatives::hessian) return 0;
        const double xx = at(At::second, i), xy = at(At::second + 1, i), xz = at(At::second + 2, i),
                     yy = at(At::second + 3, i), yz = at(At::second + 4, i),
                     zz = at(At::second + 5, i);
        const double trace = xx + yy + zz;
        const double minors = xx * yy - xy * xy + (xx * zz - xz * xz) + (yy * zz - yz * yz);
        const double determinant =
            xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
        const double coefficients[3] = {-trace, minors, -determinant};
        int positive = 0, zero = 0;
        double last = 1;
        for (const double c : coefficients) {
            zero = c == 0 ? zero + 1 : 0;  // zero roots are the zeros at the end
            if (c == 0) continue;
            if ((c > 0) != (last > 0)) ++positive;
            last = c;
        }
        return positive >= 2 ? 1.0 : 3 - positive - zero >= 2 ? -1.0 : 0.0;
    }
};

/// Calls use.template operator()<F>() for the field.
template <FieldDerivatives D, class Use>
KOKKOS_INLINE_FUNCTION void with_field(DerivedField field, const Use& use) {
    using F = DerivedField;
    switch (field) {
        case F::gradient_x: return use.template operator()<F::gradient_x>();
        case F::gradient_y: return use.template operator()<F::gradient_y>();
        case F::gradient_z: return use.template operator()<F::gradient_z>();
        case F::gradient_norm: return use.template operator()<F::gradient_norm>();
        case F::laplacian: return use.template operator()<F::laplacian>();
        case F::tau: return use.template operator()<F::tau>();
        case F::tau_laplacian: return use.template operator()<F::tau_laplacian>();
        case F::elf: return use.template operator()<F::elf>();
        case F::lol: return use.template operator()<F::lol>();
        case F::rdg: return use.template operator()<F::rdg>();
        case F::sign_lambda2_density: return use.template operator()<F::sign_lambda2_density>();
    }
}

}  // namespace tessera::kernels
