// Launches of the fused transform kernels of one grid size. The sizes are instantiated in several
// sources, so that they compile in parallel.
#pragma once

#include "kokkos_kernels/docking/accumulate_x.hpp"
#include "kokkos_kernels/docking/forward_planes.hpp"
#include "kokkos_kernels/docking/inverse_planes.hpp"
#include "kokkos_kernels/docking/transform_x.hpp"

namespace tessera::kernels {

/// What the launches share.
template <class Device>
struct FusedLaunch {
    typename Device::execution_space space;
    Complex* spectra;  ///< that the kernels write
    const Complex* roots;

    template <int N>
    void forward(const float* grids, int transforms, int reach) const;
    template <int N>
    void inverse_x(int transforms) const;
    template <int N>
    void inverse_planes(float* minima, int transforms, int sets, const ScoreLimits& limits) const;
    template <int N>
    void accumulate_x(const Complex* receptor, const Complex* ligand, const ChannelTable& table,
                      int members) const;
};

template <class Device>
template <int N>
void FusedLaunch<Device>::forward(const float* grids, int transforms, int reach) const {
    using Planes = ForwardPlanes<N>;
    launch_blocks("tessera::docking::forward_planes", space, transforms * Planes::lines(reach),
                  Planes{grids, spectra, roots, reach});
    using Kernel = TransformX<N, Direction::forward>;
    launch_blocks("tessera::docking::forward_x", space, transforms * Kernel::tiles,
                  Kernel{spectra, roots, reach});
}

template <class Device>
template <int N>
void FusedLaunch<Device>::inverse_x(int transforms) const {
    using Kernel = TransformX<N, Direction::inverse>;
    launch_blocks("tessera::docking::inverse_x", space, transforms * Kernel::tiles,
                  Kernel{spectra, roots});
}

template <class Device>
template <int N>
void FusedLaunch<Device>::inverse_planes(float* minima, int transforms, int sets,
                                         const ScoreLimits& limits) const {
    launch_blocks("tessera::docking::inverse_planes", space, transforms * N,
                  InversePlanes<N>{spectra, minima, roots, sets, limits});
}

template <class Device>
template <int N>
void FusedLaunch<Device>::accumulate_x(const Complex* receptor, const Complex* ligand,
                                       const ChannelTable& table, int members) const {
    const auto launch = [&](auto kernel) {
        launch_blocks("tessera::docking::accumulate_inverse_x", space, kernel.blocks(), kernel);
    };
    if (table.terms <= 1)
        launch(AccumulateInverseX<N, 7, 1>{receptor, ligand, spectra, roots, table, members});
    else
        launch(AccumulateInverseX<N, 7, sets_at_once>{receptor, ligand, spectra, roots, table,
                                                      members});
}

#define TESSERA_FUSED_LAUNCH(prefix, Device, N)                                                    \
    prefix template void FusedLaunch<Device>::forward<N>(const float*, int, int) const;            \
    prefix template void FusedLaunch<Device>::inverse_x<N>(int) const;                             \
    prefix template void FusedLaunch<Device>::inverse_planes<N>(float*, int, int,                  \
                                                                const ScoreLimits&) const;         \
    prefix template void FusedLaunch<Device>::accumulate_x<N>(const Complex*, const Complex*,      \
                                                              const ChannelTable&, int) const;
#ifdef KOKKOS_ENABLE_CUDA
#define TESSERA_FUSED_SIZE(prefix, N)                                                              \
    TESSERA_FUSED_LAUNCH(prefix, OpenMPDevice, N)                                                  \
    TESSERA_FUSED_LAUNCH(prefix, CudaDevice, N)
#else
#define TESSERA_FUSED_SIZE(prefix, N) TESSERA_FUSED_LAUNCH(prefix, OpenMPDevice, N)
#endif

}  // namespace tessera::kernels
