// Receptor spectra in the order of the fused sum.
#pragma once

#include <utility>

#include "kokkos_kernels/docking/receptor_spectra.hpp"

namespace tessera::kernels {

/// Takes spectra [member * channels + channel][frequency].
template <class Device>
Spectra<Device> ordered(const typename Device::execution_space& space,
                        const Spectra<Device>& spectra, const ReceptorOrder& order, int members) {
    const Spectra<Device> to("ordered", members * order.channels, ReceptorOrder::stride(order.n));
    const DevicePermutation identity{{0, 1, 2}, {1, 1, 1}};
    const auto group = to_device<DevicePermutation, Device>(space, "group", &identity, 1);
    for (int m = 0; m < members; ++m) {
        const int row = m * order.channels;
        const Spectra<Device> member =
            Kokkos::subview(spectra, std::pair{row, row + order.channels}, Kokkos::ALL);
        PermuteSpectra<Device>{
            member, to.data() + row * ReceptorOrder::stride(order.n), order, group, 0, 1.0F}
            .launch(space, 1);
    }
    return to;
}

}  // namespace tessera::kernels
