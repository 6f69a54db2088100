// Structures of residues with whole side chains, built from bond lengths, angles and dihedral
// angles, not by turning atoms.
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/cross.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking::testing {

/// The atom d with the length c-d, the angle b-c-d and the dihedral angle a-b-c-d (degrees), by the
/// natural extension of a reference frame (Parsons et al. 2005, J. Comput. Chem. 26, 1063).
inline Vec3 extended(Vec3 a, Vec3 b, Vec3 c, double length, double angle, double dihedral) {
    const double bend = angle * std::numbers::pi / 180, turn = dihedral * std::numbers::pi / 180;
    const Vec3 along = (1 / norm(c - b)) * (c - b);
    const Vec3 across = cross(b - a, along);
    const Vec3 normal = (1 / norm(across)) * across;
    const Vec3 side = cross(normal, along);
    return c + length * (-std::cos(bend) * along + std::sin(bend) * std::cos(turn) * side +
                         std::sin(bend) * std::sin(turn) * normal);
}

/// An atom of a side chain: its name, the three atoms before it, and its internal coordinates. The
/// dihedral angle is that of chi number `chi` plus `offset`.
struct BuiltAtom {
    const char *name, *a, *b, *c;
    double length, angle;
    int chi;
    double offset;
};

inline const std::vector<BuiltAtom>& built_atoms(const std::string& residue) {
    static const std::vector<BuiltAtom> lysine{{"CG", "N", "CA", "CB", 1.52, 114, 0, 0},
                                               {"CD", "CA", "CB", "CG", 1.52, 111, 1, 0},
                                               {"CE", "CB", "CG", "CD", 1.52, 111, 2, 0},
                                               {"NZ", "CG", "CD", "CE", 1.49, 112, 3, 0}},
        leucine{{"CG", "N", "CA", "CB", 1.53, 116, 0, 0},
                {"CD1", "CA", "CB", "CG", 1.52, 110, 1, 0},
                {"CD2", "CA", "CB", "CG", 1.52, 111, 1, 122}},
        aspartate{{"CG", "N", "CA", "CB", 1.52, 113, 0, 0},
                  {"OD1", "CA", "CB", "CG", 1.25, 118, 1, 0},
                  {"OD2", "CA", "CB", "CG", 1.25, 118, 1, 180}},
        serine{{"OG", "N", "CA", "CB", 1.42, 111, 0, 0}};
    return residue == "LYS"   ? lysine
           : residue == "LEU" ? leucine
           : residue == "ASP" ? aspartate
                              : serine;
}

inline Vec3 position_in(const std::vector<io::AtomRecord>& atoms, const std::string& name) {
    for (const io::AtomRecord& atom : atoms)
        if (atom.name == name) return atom.position;
    return {};
}

/// A residue at `at` whose side chain points up (1) or down (-1).
inline std::vector<io::AtomRecord> built_residue(const std::string& residue, Vec3 at, double up,
                                                 const std::vector<double>& chis) {
    std::vector<io::AtomRecord> atoms;
    const auto add = [&](const std::string& name, Vec3 position) {
        io::AtomRecord atom;
        atom.name = name;
        atom.residue = atom.variant = residue;
        atom.element = name.substr(0, 1);
        atom.position = position;
        atoms.push_back(atom);
    };
    add("N", at + Vec3{-1.2, 0.7, -0.5 * up});
    add("CA", at);
    add("C", at + Vec3{1.2, 0.8, -0.5 * up});
    add("O", at + Vec3{1.3, 1.9, -1.0 * up});
    add("CB", at + Vec3{0, -0.7, 1.36 * up});
    for (const BuiltAtom& one : built_atoms(residue))
        add(one.name,
            extended(position_in(atoms, one.a), position_in(atoms, one.b),
                     position_in(atoms, one.c), one.length, one.angle, chis[one.chi] + one.offset));
    return atoms;
}

/// Four by four residues in the plane z = 0, `apart` Angstrom from each other, with random chi
/// angles.
inline io::Structure side_chain_wall(const std::string& chain, double up, unsigned seed,
                                     double apart = 6) {
    static const std::vector<std::string> names{"LYS", "LEU", "ASP", "SER", "LYS"};
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> angle(-180, 180);
    io::Structure structure;
    for (int i = 0; i < 16; ++i) {
        const std::vector<double> chis{angle(random), angle(random), angle(random), angle(random)};
        const Vec3 at{apart * (i % 4 - 1.5), apart * (i / 4 - 1.5), 0};
        for (io::AtomRecord atom : built_residue(names[(i + seed) % names.size()], at, up, chis)) {
            atom.chain = chain;
            atom.residue_number = i + 1;
            atom.residue_index = i;
            structure.atoms.push_back(atom);
        }
    }
    return structure;
}

}  // namespace tessera::docking::testing
