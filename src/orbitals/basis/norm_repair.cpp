#include "orbitals/basis/norm_repair.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "core/error.hpp"
#include "orbitals/basis/gaussian_norms.hpp"
#include "orbitals/basis/overlap.hpp"

namespace tessera::orbitals {
namespace {

/// A deviation that some program is known for. The names of programs come from reports of users and
/// other readers. The norms decide which deviation a file has.
struct Habit {
    const char* name;
    bool raw_primitives = false;  // contraction coefficients multiply exp(-a r^2) itself
    int cartesian_power = 0;      // coefficients of xy, xxy, ... are off by (A_ijk / A_l00)^power
    bool orca_signs = false;
};

constexpr std::array<Habit, 7> habits{{
    {"contractions of primitives that are not normalised (xtb, Psi4 before 1.0)", true, 0, false},
    {"the signs of |m| = 3 and 4 reversed (ORCA)", false, 0, true},
    {"contractions of primitives that are not normalised, the signs of |m| = 3 and 4 reversed "
     "(ORCA)",
     true, 0, true},
    {"Cartesian functions that share the norm of xx, xxx, ... (CFOUR)", false, 1, false},
    {"Cartesian functions scaled by the norm of each component", false, -1, false},
    {"contractions of primitives that are not normalised, Cartesian functions that share one norm",
     true, 1, false},
    {"contractions of primitives that are not normalised, Cartesian functions scaled by their "
     "norms",
     true, -1, false},
}};

// ORCA's sign for function number `index` (m = 0, +1, -1, ...).
double orca_sign(int l, std::size_t index) {
    const std::size_t m = (index + 1) / 2;
    return l >= 3 && (m == 3 || m == 4) ? -1 : 1;
}

std::vector<double> function_factors(const io::BasisShell& shell, const Habit& habit) {
    std::vector<double> factors(static_cast<std::size_t>(shell.functions()), 1.0);
    if (shell.spherical) {
        for (std::size_t i = 0; habit.orca_signs && i < factors.size(); ++i)
            factors[i] = orca_sign(shell.l, i);
        return factors;
    }
    const double reference = cartesian_norm({shell.l, 0, 0});
    std::size_t i = 0;
    for (const io::CartesianPowers& powers : io::cartesian_order(shell.l))
        factors[i++] = std::pow(cartesian_norm(powers) / reference, -habit.cartesian_power);
    return factors;
}

void undo(const Habit& habit, io::Wavefunction& wavefunction) {
    std::vector<double> factors;
    for (io::BasisShell& shell : wavefunction.shells) {
        for (std::size_t p = 0; habit.raw_primitives && p < shell.exponents.size(); ++p)
            shell.coefficients[p] /= primitive_norm(shell.l, shell.exponents[p]);
        const std::vector<double> of_shell = function_factors(shell, habit);
        factors.insert(factors.end(), of_shell.begin(), of_shell.end());
    }
    for (io::MolecularOrbital& orbital : wavefunction.orbitals)
        for (std::size_t i = 0; i < factors.size(); ++i) orbital.coefficients[i] *= factors[i];
}

// The frame with at most 33 of its orbitals, which tell a habit as well as all. The worst is one of
// them, because a habit must explain the worst orbital.
io::Wavefunction sample(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                        int worst) {
    io::Wavefunction part;
    part.nuclei = wavefunction.nuclei;
    part.shells = wavefunction.shells;
    part.lattice = wavefunction.lattice;
    const std::size_t step = 1 + orbitals.size() / 32;
    for (std::size_t i = 0; i < orbitals.size(); i += step)
        part.orbitals.push_back(wavefunction.orbitals.at(static_cast<std::size_t>(orbitals[i])));
    part.orbitals.push_back(wavefunction.orbitals.at(static_cast<std::size_t>(worst)));
    return part;
}

// The habit that explains the norms, if there is one. The best fit wins, and the simplest among
// near ties.
std::optional<Habit> recognise(const io::Wavefunction& wavefunction,
                               const std::vector<int>& orbitals, int worst) {
    std::optional<Habit> best;
    double smallest = norm_tolerance;
    for (const Habit& habit : habits) {
        io::Wavefunction trial = sample(wavefunction, orbitals, worst);
        undo(habit, trial);
        const double error = worst_norm_error(trial);
        if (!(error < (best ? 0.5 * smallest : smallest))) continue;
        best = habit;
        smallest = error;
    }
    return best;
}

std::vector<int> all_orbitals(const io::Wavefunction& wavefunction) {
    std::vector<int> all;
    for (std::size_t i = 0; i < wavefunction.orbitals.size(); ++i)
        all.push_back(static_cast<int>(i));
    return all;
}

std::string printed(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2g", value);
    return text.data();
}

}  // namespace

std::string norm_warning(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                         const std::string& place) {
    const NormError worst = worst_norm(wavefunction, orbitals);
    if (worst.error <= norm_tolerance) return {};
    const std::optional<Habit> habit = recognise(wavefunction, orbitals, worst.orbital);
    return "orbitals of '" + wavefunction.path + "'" + place +
           " are not normalised: C'SC differs from 1 by up to " + printed(worst.error) +
           " (orbital " + std::to_string(worst.orbital + 1) + "); " +
           (habit ? std::string("the file fits ") + habit->name + ", which can be repaired"
                  : "no known program writes such norms (few digits? wrong unit or tags?)");
}

std::string repair_norms(io::Wavefunction& wavefunction) {
    const std::vector<int> all = all_orbitals(wavefunction);
    const NormError worst = worst_norm(wavefunction, all);
    if (worst.error <= norm_tolerance) return {};
    const std::optional<Habit> habit = recognise(wavefunction, all, worst.orbital);
    if (!habit)
        throw Error("cannot repair the norms of '" + wavefunction.path + "'",
                    "C'SC differs from 1 by up to " + printed(worst.error) + " (orbital " +
                        std::to_string(worst.orbital + 1) +
                        ") and no known program writes such norms",
                    "check unit, tags and digits of the file, or leave out the repair");
    undo(*habit, wavefunction);
    return habit->name;
}

}  // namespace tessera::orbitals
