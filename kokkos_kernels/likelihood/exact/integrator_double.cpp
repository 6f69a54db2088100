// No header of its own: column_integrator.hpp declares its function. It takes long to compile.
#include "kokkos_kernels/likelihood/exact/column_integrator.hpp"

namespace tessera::kernels {

std::unique_ptr<WedgeIntegrator> make_double_integrator(Backend backend) {
    return make_column_integrator<Arithmetic<double, true>>(backend);
}

}  // namespace tessera::kernels
