// Products of Gaussian functions as sums of Hermite Gaussians (McMurchie & Davidson 1978).
#pragma once

#include <array>
#include <cstddef>

#include "io/wavefunctions/cartesian_order.hpp"

namespace tessera::orbitals {

/// E_t^ij of one axis: (x - A)^i (x - B)^j exp(-a (x - A)^2 - b (x - B)^2) is the sum over t of
/// E_t^ij times the t-th derivative by P of exp(-p (x - P)^2), with p = a + b and P the weighted
/// mean of A and B. The factor exp(-ab/p (A - B)^2) is left out.
class HermiteExpansion {
  public:
    /// For all i <= `left` and j <= `right`. `distance` is A - B (bohr), exponents are in bohr^-2.
    HermiteExpansion(int left, int right, double distance, double a, double b);

    /// E_0^ij, ..., E_(i+j)^ij.
    const double* at(int i, int j) const { return values_[index(i, j)].data(); }

  private:
    static constexpr std::size_t width = io::highest_l + 1;
    static std::size_t index(int i, int j) {
        return static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j);
    }

    std::array<std::array<double, 2 * width - 1>, width * width> values_;
};

}  // namespace tessera::orbitals
