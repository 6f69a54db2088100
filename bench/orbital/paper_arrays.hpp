// Wavefunctions preprocessed as in Stone et al. (2010): one copy of a basis set per element, atoms
// sorted by element, contraction and normalisation folded in, exponents scaled for exp2.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::bench {

struct PaperArrays {
    std::vector<float>
        positions;              ///< [atom][4]: x, y, z in bohr, and the bits of the element's index
    std::vector<int> elements;  ///< [element][3]: first shell, shells, first primitive
    std::vector<int> shells;    ///< [shell][2]: primitives, degree
    std::vector<float> basis;   ///< [primitive][2]: exponent * log2(e), contraction
    std::vector<float> coefficients;  ///< atom after atom, monomials of a shell: xx xy xz yy yz zz

    PaperArrays(const io::Wavefunction& wavefunction, int orbital);

    int atoms() const { return static_cast<int>(positions.size() / 4); }
    int element_of(int atom) const { return std::bit_cast<int>(positions[4 * atom + 3]); }
    int top_degree() const {
        int top = 0;
        for (std::size_t i = 1; i < shells.size(); i += 2) top = std::max(top, shells[i]);
        return top;
    }
};

/// The highest degree of the baselines: g functions, as in the paper's program.
inline constexpr int paper_degree = 4;

}  // namespace tessera::bench
