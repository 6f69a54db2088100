// A molecule in a formatted checkpoint whose functions have Gaussian's order, and orthonormal
// orbitals of it.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "io/wavefunctions/fchk_reader.hpp"
#include "orbitals/basis/overlap.hpp"
#include "orbitals/basis/symmetric_matrix.hpp"
#include "support/fchk_text.hpp"

namespace tessera::test {

inline constexpr std::size_t fchk_functions = 20;  // sp, Cartesian g in Gaussian's order, s

/// C and H with orbitals [orbital][function], and as many as are given.
inline FchkText molecule(const std::vector<double>& orbitals) {
    FchkText file;
    file.scalar("Number of atoms", 2)
        .scalar("Number of alpha electrons", 1)
        .scalar("Number of beta electrons", 1)
        .array("Atomic numbers", std::vector<int>{6, 1})
        .array("Current cartesian coordinates", std::vector<double>{0, 0, 0.5, 1.5, 0, -1})
        .array("Shell types", std::vector<int>{-1, 4, 0})
        .array("Number of primitives per shell", std::vector<int>{2, 1, 1})
        .array("Shell to atom map", std::vector<int>{1, 1, 2})
        .array("Primitive exponents", std::vector<double>{3, 0.7, 0.9, 0.5})
        .array("Contraction coefficients", std::vector<double>{0.1, 0.3, 1, 1})
        .array("P(S=P) Contraction coefficients", std::vector<double>{0.2, 0.4, 0, 0})
        .array("Alpha Orbital Energies",
               std::vector<double>(orbitals.size() / fchk_functions, -1.0))
        .array("Alpha MO coefficients", orbitals);
    return file;
}

/// Each orbital is one function, in the order of the file.
inline io::Wavefunction functions_of_file() {
    std::vector<double> unit(fchk_functions * fchk_functions, 0.0);
    for (std::size_t i = 0; i < fchk_functions; ++i) unit[i * fchk_functions + i] = 1;
    return io::read_fchk({"in.fchk", molecule(unit).text()});
}

inline double overlap(const io::Wavefunction& frame, std::size_t a, std::size_t b) {
    static const std::vector<double> s = orbitals::overlap_matrix(functions_of_file());
    double sum = 0;
    for (std::size_t i = 0; i < fchk_functions; ++i)
        for (std::size_t j = 0; j < fchk_functions; ++j)
            sum += frame.orbitals[a].coefficients[i] * s[i * fchk_functions + j] *
                   frame.orbitals[b].coefficients[j];
    return sum;
}

/// S^(-1/2) of the functions in the order of the file: orthonormal orbitals.
inline std::vector<double> orthonormal() {
    const io::Wavefunction unit = functions_of_file();
    std::vector<double> s(fchk_functions * fchk_functions);
    for (std::size_t i = 0; i < fchk_functions; ++i)
        for (std::size_t j = 0; j < fchk_functions; ++j)
            s[i * fchk_functions + j] = overlap(unit, i, j);
    const auto pairs = orbitals::eigenpairs(s, fchk_functions);
    std::vector<double> c(fchk_functions * fchk_functions, 0.0);
    for (std::size_t k = 0; k < fchk_functions; ++k)
        for (std::size_t i = 0; i < fchk_functions; ++i)
            for (std::size_t j = 0; j < fchk_functions; ++j)
                c[i * fchk_functions + j] += pairs.vectors[k * fchk_functions + i] *
                                             pairs.vectors[k * fchk_functions + j] /
                                             std::sqrt(pairs.values[k]);
    return c;
}

}  // namespace tessera::test
