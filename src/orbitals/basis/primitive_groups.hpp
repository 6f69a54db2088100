// Turns shells and coefficients into the polynomials that kernels evaluate, and checks their norms.
#pragma once

#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::orbitals {

/// Makes groups of (atom, exponent), sorted by element and exponent, and the folded coefficients of
/// the chosen orbitals (indices into wavefunction.orbitals). Folding includes the contraction, the
/// radial and angular normalisation (docs/reference/wavefunctions.md) and the transformation from
/// spherical functions, all in double precision.
void fold_orbitals(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                   kernels::OrbitalProblem& problem);

/// The analytic overlap matrix of the basis functions, row-major (Obara & Saika 1986).
std::vector<double> overlap_matrix(const io::Wavefunction& wavefunction);

/// The overlaps S of the functions of `rows` with the functions of `columns`, [rows][columns]. With
/// the orbital coefficients, C_rows^T S C_columns tells which orbital of a frame continues which
/// orbital of another frame, and with which sign.
std::vector<double> overlap_between(const io::Wavefunction& rows, const io::Wavefunction& columns);

/// The largest |C^T S C - 1| on the diagonal over all orbitals. It is 0 for files that follow the
/// rules.
double worst_norm_error(const io::Wavefunction& wavefunction);
/// The same for chosen orbitals only (indices into wavefunction.orbitals).
double worst_norm_error(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals);

/// The orbital with the largest error, and the error. NaN is worse than any number.
struct NormError {
    double error = 0;
    int orbital = -1;  ///< index into wavefunction.orbitals; -1 if all errors are 0
};
NormError worst_norm(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals);

/// If |C^T S C - 1| is larger, the file breaks the rules or has too few digits.
constexpr double norm_tolerance = 1e-4;

/// One line if a chosen orbital is off by more than norm_tolerance, otherwise empty. The line names
/// the worst orbital and, if it is known, the habit of programs that explains it. `place` follows
/// the file's name.
std::string norm_warning(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                         const std::string& place = {});

/// Tries the known habits of programs and undoes the one that makes all orbitals normalised.
/// Returns its name, or an empty text if there was nothing to repair. Throws Error if no habit
/// fits.
std::string repair_norms(io::Wavefunction& wavefunction);

}  // namespace tessera::orbitals
