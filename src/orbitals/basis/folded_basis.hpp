// The parts of folding that all frames of a trajectory share: everything except the positions of
// the atoms and the coefficients of the orbitals.
#pragma once

#include <vector>

#include "io/wavefunctions/wavefunction.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::orbitals {

/// The parts of folding that all frames of a trajectory share: everything except the positions of
/// the atoms and the coefficients of the orbitals.
class FoldedBasis {
  public:
    explicit FoldedBasis(const io::Wavefunction& wavefunction);
    FoldedBasis(const FoldedBasis&) = delete;
    FoldedBasis& operator=(const FoldedBasis&) = delete;

    /// Whether the wavefunction has exactly the elements and shells that this basis was made from.
    bool is_of(const io::Wavefunction& wavefunction) const;

    /// Does what fold_orbitals() does, for a wavefunction with this basis.
    void fold(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
              kernels::OrbitalProblem& problem) const;

  private:
    /// A coefficient that is not zero: of a monomial of the shell's degree in the function
    /// `function`.
    struct AngularTerm {
        int function, monomial;
        double factor;
    };
    /// The parts that all shells of one kind share, on any atom. Made once for each kind.
    struct ShellKind {
        const io::BasisShell* shell;  ///< the first shell of this kind
        int functions;
        std::vector<AngularTerm> angular;
        std::vector<double> radial;  ///< [primitive]
    };
    /// The primitives of a shell are at places_[first_place + primitive] in a row of coefficients.
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
    std::vector<kernels::PrimitiveGroup> groups_;  ///< without centres
    std::vector<int> group_atoms_;
    std::vector<ShellKind> kinds_;
    std::vector<Shell> placed_;
    std::vector<std::size_t> places_;
    std::size_t width_ = 0;  ///< length of a row
};

/// Makes groups of (atom, exponent), sorted by element and exponent, and the folded coefficients of
/// the chosen orbitals (indices into wavefunction.orbitals). Folding includes the contraction, the
/// radial and angular normalisation (docs/reference/wavefunctions.md) and the transformation from
/// spherical functions, all in double precision. A periodic wavefunction also gets the images that
/// matter (periodic_images.hpp): the problem must have its grid, tolerance and derivatives then.
void fold_orbitals(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                   kernels::OrbitalProblem& problem);

}  // namespace tessera::orbitals
