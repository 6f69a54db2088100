// Random molecules for tests of the energy: no files, no chemistry.
#pragma once

#include <random>

#include "docking/model/molecule.hpp"

namespace tessera::docking::testing {

/// `atoms` of random type, charge, radius and surface flag in a ball about `center`.
inline Molecule random_molecule(int atoms, double radius, Vec3 center, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Molecule molecule;
    while (static_cast<int>(molecule.size()) < atoms) {
        const Vec3 offset{uniform(random), uniform(random), uniform(random)};
        if (norm(offset) > 1) continue;
        molecule.positions.push_back(center + radius * offset);
        molecule.types.push_back(static_cast<int>(random() % 18));
        molecule.charges.push_back(random() % 3 == 0 ? 0.0 : uniform(random));
        molecule.radii.push_back(1.6 + 0.5 * std::abs(uniform(random)));
        molecule.on_surface.push_back(random() % 2 == 0);
        molecule.structure_index.push_back(static_cast<int>(molecule.size()) - 1);
    }
    return molecule;
}

}  // namespace tessera::docking::testing
