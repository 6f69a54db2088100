// Small structures with molecules beside a protein, for tests.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "docking/model/kept_residues.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking::testing {

struct Site {
    std::string name, element;
    Vec3 position;
};

/// Appends a residue to a list of atoms.
inline void add_residue(std::vector<io::AtomRecord>& atoms, const std::string& name,
                        const std::vector<Site>& sites) {
    const int index = atoms.empty() ? 0 : atoms.back().residue_index + 1;
    for (const Site& site : sites) {
        io::AtomRecord atom;
        atom.name = site.name;
        atom.residue = atom.variant = name;
        atom.element = site.element;
        atom.chain = "A";
        atom.residue_number = index + 1;
        atom.residue_index = index;
        atom.position = site.position;
        atoms.push_back(std::move(atom));
    }
}

/// One cysteine whose sulfur is at `sulfur`. Its side chain is longer than a real one, so that its
/// other atoms are far away from the sulfur.
inline void add_cysteine(std::vector<io::AtomRecord>& atoms, Vec3 sulfur) {
    const auto at = [&](double x) { return sulfur + Vec3{x, 0, 0}; };
    add_residue(atoms, "CYS",
                {{"N", "N", at(21)},
                 {"CA", "C", at(20)},
                 {"C", "C", at(22)},
                 {"O", "O", at(23)},
                 {"CB", "C", at(19)},
                 {"SG", "S", sulfur}});
}

/// A structure of a molecule that is kept, far away from a glycine.
inline io::Structure kept_alone(const std::string& name, const std::vector<Site>& sites) {
    io::Structure structure;
    add_residue(structure.atoms, "GLY",
                {{"N", "N", {90, 0, 0}},
                 {"CA", "C", {91.5, 0, 0}},
                 {"C", "C", {93, 0, 0}},
                 {"O", "O", {94.2, 0, 0}}});
    add_residue(structure.hetero, name, sites);
    KeepRule all;
    all.all = true;
    all.names = {"HOH"};
    keep_residues(all, structure);
    return structure;
}

/// A place at this distance and angle (degrees) about the z axis.
inline Vec3 around(Vec3 center, double distance, double angle) {
    const double radians = angle * std::numbers::pi / 180;
    return center + distance * Vec3{std::cos(radians), std::sin(radians), 0};
}

}  // namespace tessera::docking::testing
