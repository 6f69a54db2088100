// Two made-up molecules, and the terms of a pose by the definition of CorrelationProblem.
#pragma once

#include <array>
#include <cmath>

#include "docking/model/coefficients.hpp"
#include "docking/model/energy.hpp"
#include "synthetic_molecules.hpp"

namespace tessera::docking::testing {

struct Case {
    Molecule receptor, ligand;
    DockingFrame frame;
    EnergyParameters parameters;
    PairPotential potential = atomic_contact_energies();
};

/// Centres away from the origin, negative coordinates on both sides of the receptor's centre.
inline Case make_case(int n, double spacing) {
    Case c;
    c.receptor = random_molecule(60, 7, {-103.3, 41.7, -8.9}, 1);
    c.ligand = random_molecule(40, 5, {12.1, -55.2, 70.4}, 2);
    c.frame = {.receptor_center = {-103.1, 41.2, -9.3},
               .ligand_center = {12.3, -55.0, 70.1},
               .spacing = spacing,
               .n = n};
    c.parameters.eigen_terms = 18;
    return c;
}

inline kernels::CorrelationProblem problem_of(const Case& c, const Restraints& on_receptor = {},
                                              const Restraints& on_ligand = {}) {
    return make_problem({c.receptor, c.ligand, c.frame, c.parameters, c.potential,
                         default_coefficient_sets(), on_receptor, on_ligand});
}

using Voxel = std::array<int, 3>;
using Terms = std::array<double, term_count>;

inline int wrap(int i, int n) { return ((i % n) + n) % n; }

/// Grid point of a ligand atom, the ligand's centre on `translation` (grid steps).
inline Voxel voxel_of(const Case& c, std::size_t atom, Voxel translation) {
    const Vec3 v = (1 / c.frame.spacing) * (c.ligand.positions[atom] - c.frame.ligand_center);
    return {static_cast<int>(std::round(v.x)) + translation[0],
            static_cast<int>(std::round(v.y)) + translation[1],
            static_cast<int>(std::round(v.z)) + translation[2]};
}

/// What the search computes, by the definition of CorrelationProblem.
inline Terms grid_terms(const kernels::CorrelationProblem& problem, const Case& c,
                        Voxel translation) {
    const int n = problem.n;
    Terms terms{};
    for (std::size_t a = 0; a < c.ligand.size(); ++a) {
        const Voxel v = voxel_of(c, a, translation);
        const auto index =
            (static_cast<std::size_t>(wrap(v[0], n)) * n + wrap(v[1], n)) * n + wrap(v[2], n);
        for (const auto& channel : problem.channels)
            terms[channel.term] +=
                static_cast<double>(channel.receptor.at(index)) * channel.ligand.at(a);
    }
    return terms;
}

}  // namespace tessera::docking::testing
