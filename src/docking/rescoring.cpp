#include "docking/rescoring.hpp"

namespace tessera::docking {

RescoringWeights default_rescoring_weights() {
    using namespace kernels;
    // Natural logarithms of odds, as the training leaves them. Terms go together in part (contacts with
    // covered atoms, the search's terms with their smooth counterparts), so that a weight alone says
    // little.
    RescoringWeights weights;
    weights.refined[clash_term] = 0.056423;
    weights.refined[buried_clash_term] = 0.11117;
    weights.refined[contact_term] = -0.0034267;
    weights.refined[dispersion_term] = 0.0066685;
    weights.refined[near_attraction_term] = -0.36387;
    weights.refined[near_repulsion_term] = 0.14601;
    weights.refined[far_attraction_term] = -0.13838;
    weights.refined[far_repulsion_term] = 0.12859;
    weights.refined[pair_term] = 0.0053725;
    weights.refined[burial_term] = 0.042965;
    weights.searched = {0.0029857, -0.0012426, 0.72181, -0.011342};
    return weights;
}

}  // namespace tessera::docking
