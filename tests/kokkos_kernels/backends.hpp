// The backends of this build, for tests over each of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/device/views.hpp"  // KOKKOS_ENABLE_CUDA, without which no test would see
                                            // the device

namespace tessera::kernels::testing {

#ifdef KOKKOS_ENABLE_CUDA
inline const std::vector<Backend> backends{Backend::openmp, Backend::cuda};
#else
inline const std::vector<Backend> backends{Backend::openmp};
#endif

inline std::string backend_name(const ::testing::TestParamInfo<Backend>& info) {
    return name_of(info.param);
}

}  // namespace tessera::kernels::testing
