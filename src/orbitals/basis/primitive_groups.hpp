// From shells and coefficients to the polynomials that kernels evaluate.
#pragma once

#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::orbitals {

/// Groups of (atom, exponent) sorted by element and exponent, and the folded coefficients of the chosen
/// orbitals (indices into wavefunction.orbitals): contraction, radial and angular normalisation
/// (docs/reference/wavefunctions.md) and the transformation from spherical functions, all in double.
void fold_orbitals(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                   kernels::OrbitalProblem& problem);

/// Overlap matrix of the basis functions, row-major, analytic (Obara & Saika 1986).
std::vector<double> overlap_matrix(const io::Wavefunction& wavefunction);

/// Overlaps of the functions of `rows` with those of `columns`, [rows][columns]: with orbital coefficients
/// C_rows^T S C_columns tells which orbital of one frame continues which of another, and its sign.
std::vector<double> overlap_between(const io::Wavefunction& rows, const io::Wavefunction& columns);

/// Largest |C^T S C - 1| on the diagonal over the orbitals: 0 for files that follow the rules.
double worst_norm_error(const io::Wavefunction& wavefunction);
/// The same over chosen orbitals only (indices into wavefunction.orbitals).
double worst_norm_error(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals);

/// The orbital that is off most, and by how much; not a number is worse than any number.
struct NormError {
    double error = 0;
    int orbital = -1;  ///< index into wavefunction.orbitals; -1: none is off
};
NormError worst_norm(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals);

/// Beyond this |C^T S C - 1| a file breaks the rules, or was printed with too few digits.
constexpr double norm_tolerance = 1e-4;

/// One line where the chosen orbitals are off by more than norm_tolerance, naming the worst of them and
/// the habit of the programs that explains it if one does; else empty. `place` follows the file's name.
std::string norm_warning(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                         const std::string& place = {});

/// Reads contractions, scales and signs anew under the known habits of programs, takes the one under which
/// all orbitals are normalised and returns its name; empty where nothing had to be done. Throws Error where
/// none fits.
std::string repair_norms(io::Wavefunction& wavefunction);

}  // namespace tessera::orbitals
