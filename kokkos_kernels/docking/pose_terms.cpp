#include "kokkos_kernels/docking/pose_terms.hpp"

#include <algorithm>

#include "kokkos_kernels/docking/refine_device.hpp"
#include "kokkos_kernels/docking/refine_terms.hpp"

namespace tessera::kernels {

double pose_terms_cutoff(const RefineProblem& problem) { return cutoff_of(problem); }

std::array<double, refine_term_count> pose_terms(const RefineProblem& problem,
                                                 const std::vector<RefineAtom>& receptor,
                                                 const std::vector<RefineAtom>& ligand) {
    const PairForms<float> forms(problem.parameters);
    const std::vector<float> energies(problem.pair_energies.begin(), problem.pair_energies.end());
    const double cutoff2 = pose_terms_cutoff(problem) * pose_terms_cutoff(problem);
    std::array<double, refine_term_count> sums{};
    for (const RefineAtom& atom : ligand) {
        float terms[refine_term_count] = {};
        const PairPartner<float> own{static_cast<float>(atom.radius),
                                     static_cast<float>(atom.charge), atom.on_surface ? 0.0F : 1.0F,
                                     energies.data() + atom.type * problem.types};
        for (const RefineAtom& other : receptor) {
            const double r2 = distance_squared(other.position, atom.position);
            if (r2 >= cutoff2) continue;
            forms.add_terms(std::max(static_cast<float>(r2), 0.01F),
                            {static_cast<float>(other.radius), static_cast<float>(other.charge),
                             other.on_surface ? 0.0F : 1.0F, other.type},
                            own, terms);
        }
        for (int k = 0; k < burial_term; ++k) sums[k] += static_cast<double>(terms[k]);
        const auto contacts = static_cast<double>(terms[contact_term]);
        sums[burial_term] += contacts / (contacts + problem.parameters.covered);
    }
    return sums;
}

}  // namespace tessera::kernels
