#include "docking/refinement/contact_counts.hpp"

#include <algorithm>

namespace tessera::docking {

ContactCounter::ContactCounter(const kernels::RefineProblem& problem, const ContactTypes& types)
    : receptor_(problem.receptor),
      ligand_(problem.ligand),
      types_(types.receptor.empty() ? problem.types : types.types),
      near_(positions_of(receptor_), contact_shell_ends.back()) {
    for (std::size_t i = 0; i < types.receptor.size(); ++i) receptor_[i].type = types.receptor[i];
    for (std::size_t i = 0; i < types.ligand.size(); ++i) ligand_[i].type = types.ligand[i];
}

std::vector<std::int32_t> ContactCounter::counts(const kernels::RigidPose& pose) const {
    const std::size_t k = types_;
    std::vector<std::int32_t> counts(contact_shells * k * k, 0);
    for_each(pose, [&](int shell, int a, int b) {
        ++counts[(shell * k + std::min(a, b)) * k + std::max(a, b)];
    });
    return counts;
}

}  // namespace tessera::docking
