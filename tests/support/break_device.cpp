#include <cstdlib>

#include "kokkos_kernels/device/device_guard.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "support/faults.hpp"

namespace tessera::test {

#ifdef KOKKOS_ENABLE_CUDA
namespace {

struct WriteNowhere {
    int* nowhere;
    KOKKOS_FUNCTION void operator()(int i) const { nowhere[i] = i; }
};

}  // namespace
#endif

void break_device() {
#ifdef KOKKOS_ENABLE_CUDA
    if (Kokkos::is_initialized()) {
        // An address that no allocation has.
        Kokkos::parallel_for("tessera::test::write_nowhere",
                             Kokkos::RangePolicy<Kokkos::Cuda>(0, 32),
                             WriteNowhere{reinterpret_cast<int*>(0x10)});
        Kokkos::fence("tessera::test: the kernel has failed");
        std::abort();
    }
#endif
    kernels::pretended_faults().lost = true;
    std::abort();
}

}  // namespace tessera::test
