// The conformers of both partners, all pairs of which are docked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The conformers of a partner: the atoms of the whole partner at other places. The first conformer
/// is the partner itself.
struct PartnerConformers {
    std::vector<std::string> names;  ///< "model 2 of 'x.pdb'", "mode 1 by +1 A"
    /// Of all atoms, with those of residues that are left out. Empty if there is one conformer.
    std::vector<std::vector<Vec3>> positions;

    std::size_t count() const { return std::max<std::size_t>(1, positions.size()); }

    /// "2 (mode 1 by +1 A)", counted from 1.
    std::string described(std::size_t conformer) const {
        std::string text = std::to_string(conformer + 1);
        if (!names.empty()) text += " (" + names.at(conformer) + ")";
        return text;
    }

    /// The partner in one of its conformers.
    io::Structure place(io::Structure whole, std::size_t conformer) const {
        if (positions.empty()) return whole;
        const std::vector<Vec3>& places = positions.at(conformer);
        for (std::size_t i = 0; i < whole.atoms.size(); ++i) whole.atoms[i].position = places.at(i);
        return whole;
    }
};

/// A pair of conformers, by their numbers from 0.
struct Combination {
    std::size_t receptor = 0, ligand = 0;
};

struct Ensemble {
    PartnerConformers receptor, ligand;

    std::size_t combinations() const { return receptor.count() * ligand.count(); }

    /// The ligand's conformers change fastest, so that the grids of a receptor are made once.
    Combination combination(std::size_t number) const {
        return {number / ligand.count(), number % ligand.count()};
    }
};

}  // namespace tessera::docking
