// Copies of one random protein, prepared for the search.
#pragma once

#include "docking/setup/dock_choices.hpp"
#include "docking/synthetic_molecules.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking::testing {

struct Homomer {
    explicit Homomer(int copies, bool dihedral = false)
        : protein(random_molecule(120, 9, {4, 2, -3}, 7)) {
        frame = make_frame(protein, protein, 1.5, 0);
        input.receptor_path = "a.pdb";
        input.symmetry.copies = copies;
        input.symmetry.dihedral = dihedral;
        DockChoices().complete(input);
        problem = make_problem(
            {protein, protein, frame, input.energy, atomic_contact_energies(), input.sets, {}, {}});
        ring = {copies, frame.ligand_center};
    }
    Molecule protein;
    DockingFrame frame;
    DockInput input;
    kernels::CorrelationProblem problem;
    kernels::Ring ring;
};

}  // namespace tessera::docking::testing
