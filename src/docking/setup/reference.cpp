#include "docking/setup/reference.hpp"

#include "docking/setup/docked_structures.hpp"
#include "docking/setup/ensemble_members.hpp"
#include "io/proteins/nucleotides.hpp"

namespace tessera::docking {

std::string read_reference(PreparedDocking& prepared, const DockInput& input) {
    PreparedDocking& p = prepared;
    if (input.reference_path.empty()) return "";
    io::Structure reference = structure_of(input.reference_path, input.reference_text);
    io::take_nucleic_acids(reference);
    const auto& chains = input.reference_receptor_chains;
    if (input.symmetry.is_set())
        p.evaluation.emplace(p.receptor_structure, reference, input.symmetry.copies, chains);
    else
        p.evaluation.emplace(p.receptor_structure, p.ligand_structure, reference, chains,
                             input.reference_ligand_chains);
    for (std::size_t number = 1; number < p.ensemble.combinations(); ++number) {
        const Combination pair = p.ensemble.combination(number);
        p.other_evaluations.emplace_back(docked_receptor(p, pair.receptor),
                                         docked_ligand_conformer(p, pair.ligand), reference, chains,
                                         input.reference_ligand_chains);
    }
    p.messages.push_back(p.evaluation->matched());
    if (input.symmetry.dihedral) {
        p.assembly_evaluation.emplace(p.receptor_structure, reference, p.refinement.ring, chains);
        p.messages.push_back(p.assembly_evaluation->matched());
    }
    return reference.sha256;
}

}  // namespace tessera::docking
