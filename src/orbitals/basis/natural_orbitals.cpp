#include "orbitals/basis/natural_orbitals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/basis/dense_matrix.hpp"
#include "orbitals/basis/overlap.hpp"
#include "orbitals/basis/symmetric_matrix.hpp"

namespace tessera::orbitals {

namespace {

/// Coefficients of the alpha orbitals, which form a basis of the same space as the functions.
Matrix alpha_orbitals(const io::Wavefunction& frame) {
    Matrix c{0, static_cast<std::size_t>(frame.basis_functions()), {}};
    for (const io::MolecularOrbital& orbital : frame.orbitals) {
        if (orbital.spin != io::Spin::alpha) continue;
        ++c.rows;
        c.values.insert(c.values.end(), orbital.coefficients.begin(), orbital.coefficients.end());
    }
    return c;
}

}  // namespace

// With orthonormal orbitals C and a density matrix P of the functions, the matrix of the orbitals
// is D = C S P S C^T. Its eigenvectors combine orbitals to natural orbitals, and its eigenvalues
// are their occupations.
void take_natural_orbitals(io::Wavefunction& frame, std::vector<std::string>& told) {
    const std::string path = io::one_line(frame.path);
    if (!frame.density_matrix)
        throw Error("--natural-orbitals: '" + path + "' has no density matrix",
                    "only formatted checkpoints (fchk) and TREXIO are read with one",
                    "leave it out");
    const Matrix c = alpha_orbitals(frame);
    const Matrix p{c.columns, c.columns, frame.density_matrix->values};
    const Matrix s{c.columns, c.columns, overlap_matrix(frame)};
    const Matrix cs = product(c, s);
    const Matrix d = product(product(cs, p), transposed(cs));
    double sum = 0;
    for (std::size_t i = 0; i < d.rows; ++i) sum += d.row(i)[i];
    const double electrons = sum_of_products(p, s);
    if (!(std::abs(sum - electrons) <= 1e-5 * std::max(1.0, std::abs(electrons))))
        throw Error(
            fmt::format("--natural-orbitals: the orbitals of '{}' hold {:.6g} of the {:.6g} "
                        "electrons of its density matrix",
                        path, sum, electrons),
            "they are not all orbitals, or not orthonormal",
            "write the file with all its virtual orbitals");
    const Eigenpairs pairs = eigenpairs(d.values, d.rows);
    const Matrix natural = product({d.rows, d.rows, pairs.vectors}, c);
    frame.orbitals.clear();
    constexpr double rounding = 1e-13;  ///< electrons
    for (std::size_t i = d.rows; i-- > 0;) {
        io::MolecularOrbital& orbital = frame.orbitals.emplace_back();
        orbital.occupation = std::abs(pairs.values[i]) > rounding ? pairs.values[i] : 0;
        orbital.coefficients.assign(natural.row(i), natural.row(i) + natural.columns);
    }
    told.push_back(fmt::format("'{}': natural orbitals of {}, {:.6g} electrons, occupations from "
                               "{:.6g} to {:.6g}",
                               path, frame.density_matrix->name, electrons, pairs.values.back(),
                               pairs.values.front()));
    frame.density_matrix.reset();
}

}  // namespace tessera::orbitals
