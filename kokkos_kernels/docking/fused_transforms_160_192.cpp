// No header: this source instantiates the templates of fused_transform_kernels.hpp for some sizes.
#include "kokkos_kernels/docking/fused_transform_kernels.hpp"

namespace tessera::kernels {

TESSERA_FUSED_SIZE(, 160)
TESSERA_FUSED_SIZE(, 168)
TESSERA_FUSED_SIZE(, 180)
TESSERA_FUSED_SIZE(, 192)

}  // namespace tessera::kernels
