// The C60-B case of Stone, Hardy, Saam, Vandivort & Schulten (2010), made here without files: 60
// carbon atoms, 6-31G* (900 Cartesian functions, 900 primitives per point). The coefficients are
// pseudo-random with a pi-like radial pattern, and have the size of a frontier orbital's. Cost and
// errors depend on the size of the coefficients, not on whether they solve a Fock equation.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::bench {

using kernels::OrbitalProblem;

inline constexpr double bohr = 0.529177210903;  // Angstrom

/// One contracted shell as in the paper. The coefficients multiply normalised primitives.
struct Shell {
    int l;
    std::vector<double> exponents, contraction;
};

/// Carbon, 6-31G*: Hehre, Ditchfield & Pople (1972), d exponent Hariharan & Pople (1973).
inline std::vector<Shell> carbon_631gs() {
    const std::vector<double> core{3047.5249, 457.36951, 103.94869, 29.210155, 9.286663, 3.163927};
    const std::vector<double> valence{7.8682724, 1.8812885, 0.5442493};
    return {{0, core, {0.0018347, 0.0140373, 0.0688426, 0.2321844, 0.4679413, 0.3623120}},
            {0, valence, {-0.1193324, -0.1608542, 1.1434564}},
            {1, valence, {0.0689991, 0.3164240, 0.7443083}},
            {0, {0.1687144}, {1.0}},
            {1, {0.1687144}, {1.0}},
            {2, {0.8}, {1.0}}};
}

/// The truncated icosahedron: even permutations of (0, +-1, +-3g), (+-1, +-(2 + g), +-2g), (+-2,
/// +-(1 + 2g), +-g), where g is the golden ratio. The edge length 2 is scaled to 1.43 Angstrom.
inline std::vector<Vec3> c60_atoms() {
    const double g = (1 + std::sqrt(5.0)) / 2, scale = 1.43 / 2 / bohr;
    const std::array<std::array<double, 3>, 3> seeds{
        {{0, 1, 3 * g}, {1, 2 + g, 2 * g}, {2, 1 + 2 * g, g}}};
    std::vector<Vec3> atoms;
    for (const auto& seed : seeds)
        for (int turn = 0; turn < 3; ++turn)
            for (int signs = 0; signs < 8; ++signs) {
                if (seed[0] == 0 && (signs & 1)) continue;
                std::array<double, 3> p{};
                for (int a = 0; a < 3; ++a)
                    p[(a + turn) % 3] = (signs >> a & 1 ? -1 : 1) * seed[a] * scale;
                atoms.push_back({p[0], p[1], p[2]});
            }
    return atoms;
}

/// The norm of x^l exp(-a r^2), l <= 2:
/// the integral of exp(-2 a r^2) r^(2l+2) dr times angular factors.
inline double axis_norm(int l, double a) {
    constexpr std::array<double, 3> double_factorial{1, 1, 3};
    return std::pow(2 * a / M_PI, 0.75) * std::pow(4 * a, l / 2.0) / std::sqrt(double_factorial[l]);
}

inline double uniform(std::uint64_t counter) {
    std::uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/// Shells, atoms and coefficients [orbital][basis function] in the order atoms, shells, components
/// (d: xx yy zz xy xz yz), each function normalised.
struct Molecule {
    std::vector<Vec3> atoms = c60_atoms();
    std::vector<Shell> shells = carbon_631gs();
    std::vector<std::vector<double>> orbitals;

    int functions_per_atom() const {
        int count = 0;
        for (const Shell& shell : shells) count += (shell.l + 1) * (shell.l + 2) / 2;
        return count;
    }

    explicit Molecule(int count) {
        // Sizes by function: 1s, 2s, 2p, 3s, 3p, d of a carbon in the HOMO of C60.
        constexpr std::array<double, 6> size{0.01, 0.02, 0.12, 0.05, 0.10, 0.01};
        for (int o = 0; o < count; ++o) {
            std::vector<double> row;
            for (std::size_t atom = 0; atom < atoms.size(); ++atom)
                for (std::size_t s = 0; s < shells.size(); ++s)
                    for (int m = 0; m < (shells[s].l + 1) * (shells[s].l + 2) / 2; ++m)
                        row.push_back(size[s] *
                                      uniform((std::uint64_t(o) << 32) + 64 * (atom * 16 + s) + m));
            orbitals.push_back(row);
        }
    }

    /// Groups by (atom, exponent). The normalisation and contraction are in the coefficients.
    OrbitalProblem fold() const {
        OrbitalProblem problem;
        problem.coefficients.resize(orbitals.size());
        int function = 0;
        for (const Vec3& atom : atoms) {
            for (std::size_t s = 0; s < shells.size(); ++s) {
                const Shell& shell = shells[s];
                for (std::size_t p = 0; p < shell.exponents.size(); ++p)
                    add(problem, atom, shell, p, function);
                function += (shell.l + 1) * (shell.l + 2) / 2;
            }
        }
        return problem;
    }

  private:
    void add(OrbitalProblem& problem, Vec3 atom, const Shell& shell, std::size_t p,
             int function) const {
        const double a = shell.exponents[p];
        kernels::PrimitiveGroup* group = nullptr;
        for (auto& g : problem.groups)
            if (g.exponent == a && distance_squared(g.center, atom) == 0) group = &g;
        if (group == nullptr) {
            // Space for the highest degree with this exponent, which is p if s and p share it.
            const int l = shell.l == 0 && a < 8 && a != 3.163927 ? 1 : shell.l;
            const int first = static_cast<int>(problem.coefficients.at(0).size());
            problem.groups.push_back({atom, a, l, first});
            for (auto& row : problem.coefficients) row.resize(first + kernels::monomials(l));
            group = &problem.groups.back();
        }
        // The orders agree for s and p. For d, xx yy zz xy xz yz becomes xx xy xz yy yz zz.
        constexpr std::array<int, 6> d_order{4, 7, 9, 5, 6, 8};
        for (int m = 0; m < (shell.l + 1) * (shell.l + 2) / 2; ++m) {
            const double mixed = shell.l == 2 && m >= 3 ? std::sqrt(3.0) : 1.0;
            const int to = shell.l == 2 ? d_order[m] : shell.l + m;
            for (std::size_t o = 0; o < orbitals.size(); ++o)
                problem.coefficients[o][group->first + to] += orbitals[o][function + m] *
                                                              shell.contraction[p] * mixed *
                                                              axis_norm(shell.l, a);
        }
    }
};

/// The paper's grid: 172 x 173 x 169 points, 0.075 Angstrom apart. The fine grid has a third of the
/// spacing.
inline UniformGrid paper_grid(bool fine) {
    const double h = (fine ? 0.025 : 0.075) / bohr;
    const std::array<std::int64_t, 3> shape = fine ? std::array<std::int64_t, 3>{516, 519, 507}
                                                   : std::array<std::int64_t, 3>{172, 173, 169};
    const auto start = [&](int a) { return -0.5 * h * static_cast<double>(shape[a] - 1); };
    return {{start(0), start(1), start(2)}, {h, h, h}, shape};
}

}  // namespace tessera::bench
