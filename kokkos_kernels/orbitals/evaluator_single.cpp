// No header of its own: grid_evaluator.hpp declares its function. It takes long to compile.
#include "kokkos_kernels/orbitals/grid_evaluator.hpp"

namespace tessera::kernels {

std::unique_ptr<OrbitalValues> make_single_evaluator(Backend backend) {
    return make_grid_evaluator<float>(backend);
}

}  // namespace tessera::kernels
