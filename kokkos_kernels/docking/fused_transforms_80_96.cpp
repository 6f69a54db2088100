// No header: this source instantiates the templates of fused_transform_kernels.hpp for some sizes.
#include "kokkos_kernels/docking/fused_transform_kernels.hpp"

namespace tessera::kernels {

TESSERA_FUSED_SIZE(, 80)
TESSERA_FUSED_SIZE(, 90)
TESSERA_FUSED_SIZE(, 96)

}  // namespace tessera::kernels
