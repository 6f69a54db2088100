// Pairwise contact potentials and their eigen-terms.
#pragma once

#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::docking {

/// A symmetric K x K contact energy, row-major, and its decomposition eps[s][t] = sum_p
/// eigenvalues[p] * u[p][s] * u[p][t] (Kozakov et al. 2006, eq. 3). The eigenpairs are sorted by
/// descending |eigenvalue|.
struct PairPotential {
    std::string name;
    std::vector<std::string> type_names;  ///< K
    std::vector<double> matrix;           ///< K * K, times `scale`
    std::vector<double> eigenvalues;      ///< K
    std::vector<double> eigenvectors;  ///< [p * K + t], each of unit length, largest component > 0
    std::string sha256;                ///< hash of the table's file

    int types() const { return static_cast<int>(type_names.size()); }
};

/// The built-in tables are "tessera", the default, and "ace". "tessera" is derived from the
/// contacts of native complexes and of decoys (potentials/, docs/method/docking-potential.md).
inline constexpr const char* default_pair_potential = "tessera";
bool is_built_in_potential(const std::string& name);

/// The default factor of a table: 0.6 for ACE, 1 for all others.
double default_pair_scale(const std::string& name_or_path);

/// Reads a built-in table by its name, or else the file with this path. All energies are multiplied
/// by `scale`.
PairPotential load_pair_potential(const std::string& name_or_path, double scale);

/// Atomic Contact Energies (Zhang et al. 1997), 18 types, times `scale`.
PairPotential atomic_contact_energies(double scale = 0.6);

/// Reads a CSV table: the header "type,NAME1,...,NAMEK", then K rows "NAMEi,e_i1,...". Throws Error
/// with the line number if the table is not square, not symmetric (to 1e-6) or not numeric.
PairPotential read_pair_potential(const std::string& path, double scale = 1.0);
PairPotential parse_pair_potential(const io::TextSource& source, double scale = 1.0);

/// Computes eigenvalues and eigenvectors of the matrix to rounding, by cyclic Jacobi rotations.
void decompose(PairPotential& potential);

}  // namespace tessera::docking
