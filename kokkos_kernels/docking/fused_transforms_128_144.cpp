// No header: this source instantiates the templates of fused_transform_kernels.hpp for some sizes.
#include "kokkos_kernels/docking/fused_transform_kernels.hpp"

namespace tessera::kernels {

TESSERA_FUSED_SIZE(, 128)
TESSERA_FUSED_SIZE(, 140)
TESSERA_FUSED_SIZE(, 144)

}  // namespace tessera::kernels
