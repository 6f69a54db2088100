#include "docking/setup/dock_choices.hpp"

namespace tessera::docking {

void DockChoices::complete(DockInput& input, bool of_table) const {
    if (input.symmetry.is_set()) {
        input.ligand_path = input.receptor_path;
        if (input.ligand_chains.empty()) input.ligand_chains = input.receptor_chains;
    }
    input.sets = coefficients.empty() ? default_coefficient_sets(input.pair_potential)
                                      : parse_coefficient_sets(coefficients, input.pair_potential);
    if (input.pair_scale == 0) input.pair_scale = default_pair_scale(input.pair_potential);
    if (input.rotation_file.empty()) {
        const ClashCost cost = default_clash_cost(input.rotations);
        input.energy.repulsion = cost.repulsion;
        input.energy.rim = cost.rim;
        input.energy.buried_ligand_weight = cost.buried_ligand_weight;
    }
    if (repulsion) input.energy.repulsion = *repulsion;
    if (rim) input.energy.rim = *rim;
    if (buried_ligand_weight) input.energy.buried_ligand_weight = *buried_ligand_weight;
    // The rescoring weights were trained on fine searches with the default pair potential.
    if (input.pair_potential != default_pair_potential || !input.rotation_file.empty() ||
        !is_fine_search(input.rotations))
        input.consensus.refine = 0;
    if (refine) input.consensus.refine = *refine;
    validate(of_table ? without_unused_options(input) : input);
}

}  // namespace tessera::docking
