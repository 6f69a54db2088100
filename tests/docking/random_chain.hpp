// A chain of residues at random places.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking::testing {

/// A folded chain of `length` residues around `center`: a random walk in a ball.
inline io::Structure chain(const std::string& name, int length, Vec3 center, unsigned seed) {
    static const std::vector<std::string> names{"ALA", "SER", "THR", "VAL", "LEU", "LYS", "ASP"};
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    io::Structure structure;
    for (int i = 0; i < length; ++i) {
        const Vec3 at = center + 9.0 * Vec3{uniform(random), uniform(random), uniform(random)};
        const std::string residue = names[random() % names.size()];
        for (const char* atom : {"N", "CA", "C", "O", "CB"}) {
            io::AtomRecord record;
            record.name = atom;
            record.residue = residue;
            record.chain = name;
            record.residue_number = i + 1;
            record.element = std::string(1, atom[0]);
            record.position = at + 1.3 * Vec3{uniform(random), uniform(random), uniform(random)};
            structure.atoms.push_back(record);
        }
    }
    return structure;
}

}  // namespace tessera::docking::testing
