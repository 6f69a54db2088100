// Occupations of a file that tells only the numbers of electrons.
#pragma once

#include <algorithm>
#include <cstdint>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Gives the first orbitals of each spin one electron each. If no orbital is beta, the orbitals
/// belong to both spins.
inline void fill_orbitals(Wavefunction& frame, std::int64_t alpha, std::int64_t beta) {
    const bool restricted =
        std::ranges::count(frame.orbitals, Spin::beta, &MolecularOrbital::spin) == 0;
    std::int64_t alphas = 0, betas = 0;
    for (MolecularOrbital& orbital : frame.orbitals) {
        orbital.occupation = 0;
        if (restricted || orbital.spin == Spin::alpha) orbital.occupation += alphas++ < alpha;
        if (restricted || orbital.spin == Spin::beta) orbital.occupation += betas++ < beta;
    }
}

}  // namespace tessera::io
