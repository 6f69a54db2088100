#include "kokkos_kernels/docking/refine_restrained.hpp"

#include "kokkos_kernels/docking/refine_device.hpp"
#include "kokkos_kernels/docking/refine_restraints.hpp"

namespace tessera::kernels {

std::unique_ptr<PoseRefinement> make_restrained_refinement(Backend backend,
                                                           const RefineProblem& problem) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda)
        return std::make_unique<Refinement<CudaDevice, DeviceRestraints<CudaDevice>>>(problem);
#endif
    (void)backend;
    return std::make_unique<Refinement<OpenMPDevice, DeviceRestraints<OpenMPDevice>>>(problem);
}

}  // namespace tessera::kernels
