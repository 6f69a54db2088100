// Analytic overlaps of basis functions, and the norms of orbitals.
#pragma once

#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// The analytic overlap matrix of the basis functions, row-major (Obara & Saika 1986). For a
/// periodic wavefunction, the functions are sums over all cells, and the integrals are over one.
std::vector<double> overlap_matrix(const io::Wavefunction& wavefunction);

/// The overlaps S of the functions of `rows` with the functions of `columns`, [rows][columns]. With
/// the orbital coefficients, C_rows^T S C_columns tells which orbital of a frame continues which
/// orbital of another frame, and with which sign. Periodic frames must have the same lattice.
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

}  // namespace tessera::orbitals
