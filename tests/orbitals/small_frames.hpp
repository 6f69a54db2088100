// Wavefunctions made by hand.
#pragma once

#include <cmath>
#include <random>

#include "orbitals/basis/overlap.hpp"

namespace tessera::test {

/// One shell at `center`, alone.
inline io::Wavefunction one_shell(int l, bool spherical, std::vector<double> exponents,
                                  std::vector<double> coefficients, Vec3 center = {}) {
    io::Wavefunction frame;
    frame.path = "made by hand";
    frame.nuclei = {{"C", 6, center}};
    frame.shells = {{0, l, spherical, std::move(exponents), std::move(coefficients)}};
    const auto functions = static_cast<std::size_t>(frame.basis_functions());
    for (std::size_t k = 0; k < functions; ++k) {  // orbital k is function k
        frame.orbitals.emplace_back().coefficients.assign(functions, 0.0);
        frame.orbitals.back().coefficients[k] = 1;
    }
    return frame;
}

/// Two atoms with contracted s, p, d, f and g; five random orbitals, normalised.
inline io::Wavefunction two_atoms(bool spherical) {
    io::Wavefunction frame;
    frame.path = "made by hand";
    frame.nuclei = {{"O", 8, {0.1, -0.2, 0.3}}, {"C", 6, {1.1, 0.7, -0.9}}};
    for (int atom = 0; atom < 2; ++atom)
        for (int l = 0; l <= 4; ++l)
            frame.shells.push_back(
                {atom, l, spherical && l > 1, {1.3 + 0.1 * atom, 0.45}, {0.6, 0.5}});
    const auto functions = static_cast<std::size_t>(frame.basis_functions());
    const std::vector<double> overlap = orbitals::overlap_matrix(frame);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int o = 0; o < 5; ++o) {
        std::vector<double>& c = frame.orbitals.emplace_back().coefficients;
        for (std::size_t k = 0; k < functions; ++k) c.push_back(uniform(random));
        double norm = 0;
        for (std::size_t i = 0; i < functions; ++i)
            for (std::size_t j = 0; j < functions; ++j)
                norm += c[i] * overlap[i * functions + j] * c[j];
        for (double& value : c) value /= std::sqrt(norm);
    }
    return frame;
}

}  // namespace tessera::test
