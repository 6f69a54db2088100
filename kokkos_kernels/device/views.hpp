// Every View alias of the kernels, with its shape. All arrays are row-major: the last index is
// contiguous on every backend, so that host and device agree on what a flat index means.
#pragma once

#include <Kokkos_Core.hpp>

namespace tessera::kernels {

using Complex = Kokkos::complex<float>;

#ifdef KOKKOS_ENABLE_CUDA
/// Plain device memory. Managed memory is never used, because it can hang an oversubscribed GPU.
using CudaDevice = Kokkos::Device<Kokkos::Cuda, Kokkos::CudaSpace>;
#endif
using OpenMPDevice = Kokkos::Device<Kokkos::OpenMP, Kokkos::HostSpace>;

template <class T, class Device>
using View1 = Kokkos::View<T*, Kokkos::LayoutRight, Device>;
template <class T, class Device>
using View2 = Kokkos::View<T**, Kokkos::LayoutRight, Device>;

/// [transform][grid point], contiguous n^3 points each, z fastest.
template <class Device>
using RealGrids = View2<float, Device>;
/// [transform][frequency], n x n x (n/2+1) frequencies padded to FftShape::spectrum_stride.
template <class Device>
using Spectra = View2<Complex, Device>;

template <class Device>
inline constexpr bool is_host = std::is_same_v<typename Device::memory_space, Kokkos::HostSpace>;

/// Copies a host array into a new device View.
template <class T, class Device>
View1<T, Device> to_device(const typename Device::execution_space& space, const std::string& label,
                           const T* data, std::size_t size) {
    View1<T, Device> device(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), size);
    Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(data,
                                                                                            size);
    Kokkos::deep_copy(space, device, host);
    space.fence("tessera::to_device: the host array may go away");
    return device;
}

}  // namespace tessera::kernels
