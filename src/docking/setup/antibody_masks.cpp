#include "docking/setup/antibody_masks.hpp"

#include <vector>

#include "core/error.hpp"

namespace tessera::docking {

namespace {

/// The flags of the atoms of the structure, for those of the molecule.
std::vector<bool> of_molecule(const std::vector<bool>& flags, const Molecule& molecule) {
    std::vector<bool> own;
    if (flags.empty()) return own;
    own.reserve(molecule.structure_index.size());
    for (const int atom : molecule.structure_index) own.push_back(flags[atom]);
    return own;
}

}  // namespace

void find_antibodies(PreparedDocking& p, const DockInput& input, const Molecule& ligand) {
    const AntibodyMode mode = antibody_mode_named(input.antibody);
    const bool automatic = mode == AntibodyMode::automatic;
    if (mode == AntibodyMode::off || (automatic && input.symmetry.is_set())) return;
    const auto look_at = [&](const char* partner, const io::Structure& structure,
                             const Molecule& molecule, int place) {
        const Antibody found = recognise_antibody(partner, structure, mode);
        p.antibody.insert(p.antibody.end(), found.domains.begin(), found.domains.end());
        p.masked[place] = of_molecule(found.masked, molecule);
        p.in_cdr[place] = of_molecule(found.in_cdr, molecule);
    };
    look_at("receptor", p.receptor_structure, p.receptor, 0);
    look_at("ligand", p.ligand_structure, ligand, 1);
    if (!p.antibody.empty())
        p.messages.push_back(describe(p.antibody));
    else if (!automatic)
        throw Error("no antibody found for --antibody " + input.antibody,
                    "neither receptor nor ligand has variable domains of this form",
                    "check the chains, or use --antibody auto or off");
}

}  // namespace tessera::docking
