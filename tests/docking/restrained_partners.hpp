// Two small proteins for tests of restraints, and restraints on them from a text.
#pragma once

#include <string>
#include <vector>

#include "docking/restraints/restraint_atoms.hpp"

namespace tessera::docking::testing {

/// Residues first .. first + count - 1 of a chain, with the atoms N, CA and CB. Residue i stands at
/// `begin` + (3.8 i, 0, 0).
inline void add_chain(io::Structure& structure, const std::string& chain, int first, int count,
                      Vec3 begin) {
    const int residues = structure.atoms.empty() ? 0 : structure.atoms.back().residue_index + 1;
    for (int i = 0; i < count; ++i)
        for (const auto& [name, shift] :
             {std::pair("N", Vec3{-1.2, 0.8, 0}), std::pair("CA", Vec3{}),
              std::pair("CB", Vec3{0.1, -1, -1.1})}) {
            io::AtomRecord atom;
            atom.name = name;
            atom.residue = atom.variant = i % 2 == 0 ? "ALA" : "LYS";
            atom.chain = chain;
            atom.residue_number = first + i;
            atom.residue_index = residues + i;
            atom.position = begin + Vec3{3.8 * i, 0, 0} + shift;
            structure.atoms.push_back(atom);
        }
}

/// The receptor has the chains A (1 to 6) and H (-1 to 3), the ligand the chain A (11 to 14).
struct TwoPartners {
    io::Structure receptor, ligand;
    Vec3 ligand_center{1, 2, 3};

    TwoPartners() {
        add_chain(receptor, "A", 1, 6, {});
        add_chain(receptor, "H", -1, 5, {0, 10, 0});
        add_chain(ligand, "A", 11, 4, {0, 0, 20});
    }
    RestrainedPartners both() const { return {receptor, ligand, ligand_center}; }
};

/// The restraints of a file with this text.
inline DistanceRestraints restraints_from(const std::string& text, const std::string& path,
                                          const RestraintOptions& options = {},
                                          std::vector<std::string>* warnings = nullptr) {
    static const TwoPartners partners;
    std::vector<std::string> ignored;
    return find_restraint_atoms({parse_restraint_file({path, text})}, partners.both(), options,
                                warnings ? *warnings : ignored);
}

/// The number of atoms of one side of a restraint.
inline std::size_t atoms_of(const std::vector<RestrainedResidue>& residues) {
    std::size_t count = 0;
    for (const RestrainedResidue& residue : residues) count += residue.atoms.size();
    return count;
}

}  // namespace tessera::docking::testing
