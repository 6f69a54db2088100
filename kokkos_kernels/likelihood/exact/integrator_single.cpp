// No header of its own: column_integrator.hpp declares its function. It takes long to compile.
#include "kokkos_kernels/likelihood/exact/column_integrator.hpp"

namespace tessera::kernels {

std::unique_ptr<WedgeIntegrator> make_single_integrator(Backend backend, bool compensated) {
    return compensated ? make_column_integrator<Arithmetic<float, true>>(backend)
                       : make_column_integrator<Arithmetic<float, false>>(backend);
}

}  // namespace tessera::kernels
