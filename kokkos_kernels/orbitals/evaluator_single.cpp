#include "kokkos_kernels/orbitals/grid_evaluator.hpp"

namespace tessera::kernels {

std::unique_ptr<OrbitalValues> make_single_evaluator(Backend backend) {
    return make_grid_evaluator<float>(backend);
}

}  // namespace tessera::kernels
