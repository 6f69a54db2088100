// No header: this source instantiates the templates of fused_transform_kernels.hpp for some sizes.
#include "kokkos_kernels/docking/fused_transform_kernels.hpp"

namespace tessera::kernels {

TESSERA_FUSED_SIZE(, 48)
TESSERA_FUSED_SIZE(, 54)
TESSERA_FUSED_SIZE(, 60)
TESSERA_FUSED_SIZE(, 64)
TESSERA_FUSED_SIZE(, 72)

}  // namespace tessera::kernels
