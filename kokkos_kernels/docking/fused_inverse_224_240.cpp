// No header of its own: it instantiates the templates of fused_inverse_kernels.hpp for some sizes.
#include "kokkos_kernels/docking/fused_inverse_kernels.hpp"

namespace tessera::kernels {

TESSERA_FUSED_SIZE(, 224)
TESSERA_FUSED_SIZE(, 240)

}  // namespace tessera::kernels
