#include "kokkos_kernels/likelihood/compressed/device.hpp"

#include "kokkos_kernels/likelihood/compressed/run.hpp"

namespace tessera::kernels::compressed {

std::unique_ptr<Device> make_device(const Problem& problem, Backend backend) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<DeviceOf<CudaDevice>>(problem);
#endif
    static_cast<void>(backend);
    return std::make_unique<DeviceOf<OpenMPDevice>>(problem);
}

}  // namespace tessera::kernels::compressed
