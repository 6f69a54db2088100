#include "docking/setup/ensemble_members.hpp"

#include "docking/model/low_confidence.hpp"
#include "docking/setup/docked_structures.hpp"

namespace tessera::docking {

namespace {

io::Structure docked(const CutPartner& cut, const io::Structure& structure,
                     const PartnerConformers& conformers, std::size_t conformer) {
    if (conformer == 0) return structure;
    io::Structure whole = conformers.place(cut.whole.value_or(structure), conformer);
    return cut.whole ? without_residues(whole, cut.low.left_out) : whole;
}

/// The atoms of a molecule in all conformers, one after another.
template <class Docked>
Molecule all_places(const Molecule& molecule, std::size_t conformers, const Docked& docked_in) {
    Molecule all;
    all.positions = molecule.positions;
    for (std::size_t conformer = 1; conformer < conformers; ++conformer) {
        const io::Structure structure = docked_in(conformer);
        for (const int atom : molecule.structure_index)
            all.positions.push_back(structure.atoms[static_cast<std::size_t>(atom)].position);
    }
    return all;
}

}  // namespace

io::Structure docked_receptor(const PreparedDocking& first, std::size_t conformer) {
    return docked(first.receptor_cut, first.receptor_structure, first.ensemble.receptor, conformer);
}

io::Structure docked_ligand_conformer(const PreparedDocking& first, std::size_t conformer) {
    return docked(first.ligand_cut, first.ligand_structure, first.ensemble.ligand, conformer);
}

bool place_conformers(PreparedDocking& p, const PreparedDocking& first, std::size_t number,
                      const PreparedDocking* former) {
    p.combination = first.ensemble.combination(number);
    const bool known = former && former->combination.receptor == p.combination.receptor;
    take_receptor(p, known ? *former : first);
    if (!known) p.receptor_structure = docked_receptor(first, p.combination.receptor);
    p.receptor_rule = first.receptor_rule;
    p.receptor_keep = first.receptor_keep;
    p.ligand_structure = docked_ligand_conformer(first, p.combination.ligand);
    p.ligand_chemistry = first.ligand_chemistry;
    p.ligand_cut = first.ligand_cut;
    return known;
}

DockingFrame frame_of_all(const PreparedDocking& p, const Molecule& ligand,
                          const DockInput& input) {
    if (p.ensemble.combinations() == 1)
        return make_frame(p.receptor, ligand, input.spacing, input.grid);
    return make_frame(
        all_places(p.receptor, p.ensemble.receptor.count(),
                   [&](std::size_t conformer) { return docked_receptor(p, conformer); }),
        all_places(ligand, p.ensemble.ligand.count(),
                   [&](std::size_t conformer) { return docked_ligand_conformer(p, conformer); }),
        input.spacing, input.grid);
}

}  // namespace tessera::docking
