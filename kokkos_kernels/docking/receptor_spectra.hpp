// Receptor spectra of the orbit members. They are permutations of one another.
#pragma once

#include "kokkos_kernels/docking/device_problem.hpp"
#include "kokkos_kernels/docking/receptor_order.hpp"

namespace tessera::kernels {

/// Spectrum of the receptor turned by g: FFT(Rec o g)(k) = FFT(Rec)(g k), because g is orthogonal
/// and maps the periodic lattice onto itself. Frequencies whose image has kz < 0 come from the
/// conjugate half. The results are scaled so that the inverse transform needs no factor.
template <class Device>
struct PermuteSpectra {
    Spectra<Device> base;  ///< [channel][frequency]
    Complex* members;      ///< of the pass, in `order`
    ReceptorOrder order;
    View1<DevicePermutation, Device> group;
    int first_member;
    float scale;

    KOKKOS_FUNCTION void operator()(int member, std::int64_t k) const {
        const int n = order.n;
        const int half = n / 2 + 1;
        const int kz = static_cast<int>(k % half);
        const int ky = static_cast<int>(k / half % n);
        const int kx = static_cast<int>(k / (std::int64_t{half} * n));
        int image[3];
        group(first_member + member)(kx, ky, kz, image);
        for (int& component : image) component = wrap(component, n);
        const bool conjugate = image[2] > n / 2;
        if (conjugate)
            for (int& component : image) component = wrap(-component, n);
        const std::int64_t source = (std::int64_t{image[0]} * n + image[1]) * half + image[2];
        for (int c = 0; c < order.channels; ++c) {
            const Complex value = base(c, source);
            members[order.index(member, c, kx, ky * half + kz)] =
                Complex(scale * value.real(), scale * (conjugate ? -value.imag() : value.imag()));
        }
    }

    void launch(const typename Device::execution_space& space, int count) const {
        using Policy =
            Kokkos::MDRangePolicy<typename Device::execution_space,
                                  Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                                  Kokkos::IndexType<std::int64_t>>;
        const std::int64_t n = order.n, frequencies = n * n * (n / 2 + 1);
        Kokkos::parallel_for("tessera::docking::permute_spectra",
                             Policy(space, {0, 0}, {count, frequencies}, {1, 256}), *this);
    }
};

}  // namespace tessera::kernels
