// The atoms and basis functions of several wavefunctions as one basis, so that their orbitals can
// be evaluated together.
#pragma once

#include <cstddef>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

class MergedBasis {
  public:
    /// Adds the atoms and shells of a wavefunction. Atoms of one element at exactly the same place
    /// become one atom, and equal shells on it become one shell. Nothing moves, so all orbitals
    /// keep their values.
    void add(const io::Wavefunction& wavefunction);

    /// The coefficients of an orbital of the number-th wavefunction in the merged basis.
    std::vector<double> expanded(std::size_t number, const std::vector<double>& coefficients) const;

    std::size_t functions() const { return functions_; }
    const std::vector<io::Nucleus>& nuclei() const { return nuclei_; }
    const std::vector<io::BasisShell>& shells() const { return shells_; }

  private:
    int atom_like(const io::Nucleus& nucleus);
    std::size_t place_of(const io::BasisShell& shell, std::vector<bool>& taken);

    std::vector<io::Nucleus> nuclei_;
    std::vector<io::BasisShell> shells_;
    std::vector<std::size_t> first_function_;       ///< [shell]
    std::vector<std::vector<std::size_t>> places_;  ///< [wavefunction][function]
    std::size_t functions_ = 0;
};

/// Whether two wavefunctions have the same elements and basis functions in the same order.
bool same_basis(const io::Wavefunction& a, const io::Wavefunction& b);

}  // namespace tessera::orbitals
