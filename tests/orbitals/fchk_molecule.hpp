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

inline constexpr std::size_t functions = 20;  // sp, Cartesian g in Gaussian's order, s

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
        .array("Alpha Orbital Energies", std::vector<double>(orbitals.size() / functions, -1.0))
        .array("Alpha MO coefficients", orbitals);
    return file;
}

/// Each orbital is one function, in the order of the file.
inline io::Wavefunction functions_of_file() {
    std::vector<double> unit(functions * functions, 0.0);
    for (std::size_t i = 0; i < functions; ++i) unit[i * functions + i] = 1;
    return io::read_fchk({"in.fchk", molecule(unit).text()});
}

inline double overlap(const io::Wavefunction& frame, std::size_t a, std::size_t b) {
    static const std::vector<double> s = orbitals::overlap_matrix(functions_of_file());
    double sum = 0;
    for (std::size_t i = 0; i < functions; ++i)
        for (std::size_t j = 0; j < functions; ++j)
            sum += frame.orbitals[a].coefficients[i] * s[i * functions + j] *
                   frame.orbitals[b].coefficients[j];
    return sum;
}

/// S^(-1/2) of the functions in the order of the file: orthonormal orbitals.
inline std::vector<double> orthonormal() {
    const io::Wavefunction unit = functions_of_file();
    std::vector<double> s(functions * functions);
    for (std::size_t i = 0; i < functions; ++i)
        for (std::size_t j = 0; j < functions; ++j) s[i * functions + j] = overlap(unit, i, j);
    const auto pairs = orbitals::eigenpairs(s, functions);
    std::vector<double> c(functions * functions, 0.0);
    for (std::size_t k = 0; k < functions; ++k)
        for (std::size_t i = 0; i < functions; ++i)
            for (std::size_t j = 0; j < functions; ++j)
                c[i * functions + j] += pairs.vectors[k * functions + i] *
                                        pairs.vectors[k * functions + j] /
                                        std::sqrt(pairs.values[k]);
    return c;
}

}  // namespace tessera::test
