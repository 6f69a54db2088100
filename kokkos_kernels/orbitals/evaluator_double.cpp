#include "kokkos_kernels/orbitals/grid_evaluator.hpp"

namespace tessera::kernels {

std::unique_ptr<OrbitalValues> make_double_evaluator(Backend backend) {
    return make_grid_evaluator<double>(backend);
}

}  // namespace tessera::kernels
