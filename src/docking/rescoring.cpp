#include "docking/rescoring.hpp"

namespace tessera::docking {

RescoringWeights default_rescoring_weights() {
    using namespace kernels;
    // Natural logarithms of odds, as the training leaves them. Terms go together in part (contacts with
    // covered atoms, the search's terms with their smooth counterparts), so that a weight alone says
    // little.
    RescoringWeights weights;
    weights.refined[clash_term] = 0.03644;
    weights.refined[buried_clash_term] = 0.13389;
    weights.refined[contact_term] = -0.0081532;
    weights.refined[dispersion_term] = 0.001331;
    weights.refined[near_attraction_term] = -0.7960;
    weights.refined[near_repulsion_term] = -0.1741;
    weights.refined[far_attraction_term] = -0.2604;
    weights.refined[far_repulsion_term] = 0.1242;
    weights.refined[pair_term] = 0.009872;
    weights.refined[burial_term] = 0.07910;
    weights.searched = {0.0038478, -0.00098156, 0.76931, -0.018657};
    return weights;
}

}  // namespace tessera::docking
