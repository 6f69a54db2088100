#include "kokkos_kernels/docking/refine.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "kokkos_kernels/docking/refine_device.hpp"
#include "kokkos_kernels/docking/refine_restrained.hpp"
#include "kokkos_kernels/docking/refine_ring.hpp"

namespace tessera::kernels {

namespace {

void check(bool good, const char* what, const char* remedy) {
    if (!good) throw Error("poses cannot be refined", what, remedy);
}

void check(const RefineProblem& problem) {
    const RefineParameters& p = problem.parameters;
    check(!problem.receptor.empty() && !problem.ligand.empty(), "a partner has no atoms",
          "give structures with protein atoms");
    const auto typed = [&](const RefineAtom& atom) {
        return atom.type >= 0 && atom.type < problem.types && atom.radius > 0;
    };
    check(std::all_of(problem.receptor.begin(), problem.receptor.end(), typed) &&
              std::all_of(problem.ligand.begin(), problem.ligand.end(), typed) &&
              problem.pair_energies.size() ==
                  static_cast<std::size_t>(problem.types) * problem.types,
          "an atom's type is not in the pair potential or its radius is not positive",
          "use a table that contains all types");
    const auto ordered = [](double full, double end) { return full >= 0 && end > full; };
    check(std::ranges::all_of(problem.restraints,
                              [](const RefineRestraint& one) {
                                  return !one.receptor.empty() && !one.ligand.empty() &&
                                         one.upper > 0;
                              }) &&
              p.restraints_softness > 0,
          "a restraint has no atoms or no bounds", "give both selections and an upper bound");
    check(ordered(p.contact_full, p.contact_end) && ordered(p.pair_full, p.pair_end) &&
              ordered(p.outer_full, p.outer_end) && ordered(p.near_full, p.near_end) &&
              p.clash_scale > 0 && p.born_radius > 0 && p.covered > 0,
          "a range of the smooth energy ends before it begins", "choose positive cut-offs");
}

}  // namespace

std::unique_ptr<PoseRefinement> make_pose_refinement(Backend backend,
                                                     const RefineProblem& problem) {
    check(problem);
    const bool pulls = !problem.restraints.empty() && problem.parameters.restraints_weight > 0;
    if (problem.ring.is_set())
        return pulls ? make_restrained_ring_refinement(backend, problem)
                     : make_ring_refinement(backend, problem);
    if (pulls) return make_restrained_refinement(backend, problem);
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<Refinement<CudaDevice>>(problem);
#endif
    (void)backend;
    return std::make_unique<Refinement<OpenMPDevice>>(problem);
}

}  // namespace tessera::kernels
