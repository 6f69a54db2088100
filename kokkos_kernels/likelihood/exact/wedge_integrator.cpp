#include "kokkos_kernels/likelihood/exact/wedge_integrator.hpp"

#include "kokkos_kernels/likelihood/exact/column_integrator.hpp"

namespace tessera::kernels {

std::unique_ptr<WedgeIntegrator> make_wedge_integrator(Backend backend, Precision precision) {
    if (precision == Precision::double_precision) return make_double_integrator(backend);
    return make_single_integrator(backend, precision == Precision::single_compensated);
}

}  // namespace tessera::kernels
