// How often orbitals are occupied (declared in prepare.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

std::vector<double> density_weights(const io::Wavefunction& wavefunction, bool of_spin) {
    const auto& orbitals = wavefunction.orbitals;
    const bool unrestricted =
        std::ranges::any_of(orbitals, [](const auto& o) { return o.spin == io::Spin::beta; });
    std::vector<double> weights;
    for (const io::MolecularOrbital& orbital : orbitals) {
        const double occupation = orbital.occupation;
        if (!of_spin) {
            weights.push_back(occupation);
        } else if (unrestricted) {
            weights.push_back(orbital.spin == io::Spin::alpha ? occupation : -occupation);
        } else if (occupation == 0 || occupation == 1 || occupation == 2) {
            weights.push_back(occupation == 1 ? 1 : 0);  // high spin: single electrons are alpha
        } else {
            throw Error("there is no spin density: '" + io::one_line(wavefunction.path) +
                            "' does not say which electrons are unpaired",
                        fmt::format("no beta orbitals, and an occupation of {:g}", occupation),
                        "use an unrestricted calculation");
        }
    }
    if (!of_spin && std::ranges::all_of(weights, [](double w) { return w == 0; }))
        throw Error("there is no density: no orbital of '" + io::one_line(wavefunction.path) +
                        "' is occupied",
                    "all occupations are 0", "use a file with occupations");
    return weights;
}

SpinOccupations spin_occupations(const io::Wavefunction& wavefunction) {
    SpinOccupations occupations{density_weights(wavefunction, false), {}};
    const auto& orbitals = wavefunction.orbitals;
    const bool unrestricted =
        std::ranges::any_of(orbitals, [](const auto& o) { return o.spin == io::Spin::beta; });
    const auto whole = [](double n) { return n == 0 || n == 1 || n == 2; };
    auto& [alpha, beta] = occupations;
    // Fractional occupations do not tell the spins apart.
    if (!unrestricted &&
        (!std::ranges::all_of(alpha, whole) || std::ranges::count(alpha, 1.0) == 0))
        return occupations;
    beta.resize(alpha.size());
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        const double all = alpha[i];
        beta[i] = !unrestricted ? (all == 2 ? 1 : 0) : orbitals[i].spin == io::Spin::beta ? all : 0;
        alpha[i] = all - beta[i];
    }
    return occupations;
}

OccupiedOrbitals occupied_orbitals(const io::Wavefunction& wavefunction) {
    const SpinOccupations all = spin_occupations(wavefunction);
    OccupiedOrbitals occupied;
    for (std::size_t i = 0; i < all.alpha.size(); ++i) {
        const double beta = all.beta.empty() ? 0 : all.beta[i];
        if (all.alpha[i] == 0 && beta == 0) continue;
        occupied.orbitals.push_back(static_cast<int>(i));
        occupied.occupations.alpha.push_back(all.alpha[i]);
        if (!all.beta.empty()) occupied.occupations.beta.push_back(beta);
    }
    return occupied;
}

}  // namespace tessera::orbitals
