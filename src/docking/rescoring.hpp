// The score of refined poses: a weighted sum of their smooth terms, the search's own and how crowded
// their neighbourhood is.
#pragma once

#include <array>

#include "docking/pose.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// score = Σ refined · terms + Σ searched · the search's terms + crowd · ln(1 + neighbours); lower is
/// better.
struct RescoringWeights {
    std::array<double, kernels::refine_term_count> refined{};
    std::array<double, term_count> searched{};
    double crowd = 0;
    double crowd_radius = 5;  ///< Angstrom, C-alpha RMSD: who is a neighbour
};

/// Trained on 94 unbound complexes with the defaults of the search (docs/docking-refinement.md, "Score").
RescoringWeights default_rescoring_weights();

}  // namespace tessera::docking
