// Which terms of Hermite Gaussians a potential can do without.
#pragma once

#include <vector>

#include "kokkos_kernels/orbitals/esp/potential_problem.hpp"

namespace tessera::orbitals {

/// A product with its coefficients (HermiteProduct). Those beyond its degree are unused.
struct HermiteTerms {
    kernels::HermiteProduct product;
    std::vector<double> coefficients;
};

/// The largest that |Q_tuv| is anywhere, or a little more. The t-th derivative of exp(-w x^2) is at
/// most w^(t/2) K_t, K_t = 2^t Gamma((t + 1) / 2) / sqrt(pi), since its Fourier transform is
/// positive up to a power of i k; and F_0(w r^2) is the mean of exp(-w s^2 r^2) over s in [0, 1].
double largest_hermite(int t, int u, int v);

/// Lowers the degrees of products, to -1 where nothing is left. The potential changes nowhere by
/// more than the returned bound, which is at most `tolerance`. With 0 only zeros go.
double cut_terms(std::vector<HermiteTerms>& products, double tolerance);

/// Appends the products of degree >= 0, sorted by degree, and their coefficients.
void pack_products(const std::vector<HermiteTerms>& products, kernels::PotentialProblem& problem);

}  // namespace tessera::orbitals
