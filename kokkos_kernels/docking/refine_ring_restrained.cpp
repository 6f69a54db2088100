#include "kokkos_kernels/docking/refine_restraints.hpp"
#include "kokkos_kernels/docking/refine_ring.hpp"
#include "kokkos_kernels/docking/refine_ring_device.hpp"

namespace tessera::kernels {

std::unique_ptr<PoseRefinement> make_restrained_ring_refinement(Backend backend,
                                                                const RefineProblem& problem) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda)
        return std::make_unique<RingRefinement<CudaDevice, DeviceRestraints<CudaDevice>>>(problem);
#endif
    (void)backend;
    return std::make_unique<RingRefinement<OpenMPDevice, DeviceRestraints<OpenMPDevice>>>(problem);
}

}  // namespace tessera::kernels
