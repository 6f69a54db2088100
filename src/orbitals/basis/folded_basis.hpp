// What folding needs of a basis set and what frames of a trajectory share: everything but where the atoms are
// and what the orbitals' coefficients are.
#pragma once

#include <vector>

#include "io/wavefunctions/wavefunction.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::orbitals {

class FoldedBasis {
  public:
    explicit FoldedBasis(const io::Wavefunction& wavefunction);
    FoldedBasis(const FoldedBasis&) = delete;
    FoldedBasis& operator=(const FoldedBasis&) = delete;

    /// Whether the wavefunction's elements and shells are those that this was made of, number by number.
    bool is_of(const io::Wavefunction& wavefunction) const;

    /// As fold_orbitals() does it, for a wavefunction with this basis.
    void fold(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
              kernels::OrbitalProblem& problem) const;

  private:
    /// Of function `function` the coefficient of a monomial of the shell's degree; those that are not zero.
    struct AngularTerm {
        int function, monomial;
        double factor;
    };
    /// What shells of the same kind share, on whatever atom: each is made once.
    struct ShellKind {
        const io::BasisShell* shell;  ///< the first of them
        int functions;
        std::vector<AngularTerm> angular;
        std::vector<double> radial;  ///< [primitive]
    };
    /// Where the primitives of a shell stand in a row of coefficients: places_[first_place + primitive].
    struct Shell {
        int kind;
        std::size_t first_place;
    };

    int kind_of(const io::BasisShell& shell);
    void place_shells();
    void fold_row(const double* coefficients, double* row) const;
    template <int L>
    void add_shell(const Shell& shell, const double* coefficients, double* row) const;

    std::vector<int> charges_;  ///< [atom]
    std::vector<io::BasisShell> shells_;
    std::vector<kernels::PrimitiveGroup> groups_;  ///< without their centres
    std::vector<int> group_atoms_;
    std::vector<ShellKind> kinds_;
    std::vector<Shell> placed_;
    std::vector<std::size_t> places_;
    std::size_t width_ = 0;  ///< of a row
};

}  // namespace tessera::orbitals
