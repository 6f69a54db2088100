// Pairwise contact potentials and their eigen-terms.
#pragma once

#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::docking {

/// A symmetric K x K contact energy, row-major, and its decomposition
/// eps[s][t] = sum_p eigenvalues[p] * u[p][s] * u[p][t], eigenpairs sorted by |eigenvalue| descending
/// (Kozakov et al. 2006, eq. 3).
struct PairPotential {
    std::string name;
    std::vector<std::string> type_names;  ///< K
    std::vector<double> matrix;           ///< K * K, after `scale`
    std::vector<double> eigenvalues;      ///< K
    std::vector<double> eigenvectors;  ///< [p * K + t], each of unit length, largest component > 0
    std::string sha256;                ///< of the table's file

    int types() const { return static_cast<int>(type_names.size()); }
};

/// The tables that come with the program, by the names a user gives: "tessera", the default, derived from
/// the contacts of native complexes and of decoys (potentials/, docs/method/docking-potential.md), and "ace".
inline constexpr const char* default_pair_potential = "tessera";
bool is_built_in_potential(const std::string& name);

/// The factor that goes with a table where the user gives none: 0.6 for ACE, 1 for any other.
double default_pair_scale(const std::string& name_or_path);

/// A built-in table by its name, else the file of that path; times `scale`.
PairPotential load_pair_potential(const std::string& name_or_path, double scale);

/// Atomic Contact Energies (Zhang et al. 1997), 18 types, times `scale`.
PairPotential atomic_contact_energies(double scale = 0.6);

/// A CSV table: header "type,NAME1,...,NAMEK", then K rows "NAMEi,e_i1,...". Throws Error for a table
/// that is not square, not symmetric (1e-6) or not numeric, naming the line.
PairPotential read_pair_potential(const std::string& path, double scale = 1.0);
PairPotential parse_pair_potential(const io::TextSource& source, double scale = 1.0);

/// Fills eigenvalues and eigenvectors from name, type_names and matrix (cyclic Jacobi, to rounding).
void decompose(PairPotential& potential);

}  // namespace tessera::docking
