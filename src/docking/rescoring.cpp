#include "docking/rescoring.hpp"

namespace tessera::docking {

RescoringWeights default_rescoring_weights() {
    using namespace kernels;
    RescoringWeights weights;
    const RefineWeights energy;
    weights.refined[clash_term] = energy.clash;
    weights.refined[buried_clash_term] = energy.buried_clash;
    weights.refined[contact_term] = energy.contact;
    weights.refined[dispersion_term] = energy.dispersion;
    for (const RefineTerm term :
         {near_attraction_term, near_repulsion_term, far_attraction_term, far_repulsion_term})
        weights.refined[term] = energy.electrostatics;
    weights.refined[pair_term] = energy.pair;
    return weights;
}

}  // namespace tessera::docking
