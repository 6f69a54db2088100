// Other cuts of the fused inverse kernels, on CUDA devices.
#pragma once

#include <cstdio>

#include "bench/inverse_arrays.hpp"
#include "kokkos_kernels/docking/inverse_planes.hpp"
#include "kokkos_kernels/docking/inverse_x.hpp"

namespace tessera::kernels::inverse_bench {

#ifdef KOKKOS_ENABLE_CUDA

/// Times other cuts of the kernels of one size. Their results are not compared.
template <int N>
class OtherCuts {
  public:
    OtherCuts()
        : receptor_("receptor", members * channels, FftShape{N}.spectrum_stride()),
          ligand_("ligand", B * channels, FftShape{N}.spectrum_stride()),
          scores_("scores", transforms, FftShape{N}.spectrum_stride()),
          roots_("roots", N),
          minima_("minima", transforms, CellShape{N}.cells()) {
        table_.channels = channels;
        table_.sets = table_.terms = 1;
    }

    template <int Width, int Groups, int Bases = 4>
    void sum() {
        using Kernel = AccumulateInverseX<N, channels, true, Width, Groups, Bases>;
        const Kernel kernel{receptor_.data(), ligand_.data(), scores_.data(),
                            roots_.data(),    table_,         members};
        const double time = microseconds_per_rotation(
            space_, [&] { launch_blocks("sum", space_, Kernel::blocks(), kernel); });
        std::printf("%4d sum+x  width %2d groups %2d bases %d: %4d threads x %d %6d B %8.2f us\n",
                    N, Width, Groups, Bases, Kernel::threads, Kernel::blocks_per_unit,
                    Kernel::shared_bytes, time);
    }

    template <int Threads>
    void planes() {
        using Kernel = InversePlanes<N, Threads>;
        const Kernel kernel{scores_.data(), minima_.data(), roots_.data()};
        const double time = microseconds_per_rotation(
            space_, [&] { launch_blocks("planes", space_, transforms * N, kernel); });
        std::printf("%4d planes %4d threads x %d %6d B %8.2f us\n", N, Threads,
                    Kernel::blocks_per_unit, Kernel::shared_bytes, time);
    }

  private:
    Space space_;
    Spectra<Device> receptor_, ligand_, scores_;
    View1<Complex, Device> roots_;
    View2<float, Device> minima_;
    ChannelTable table_;
};

inline void time_other_cuts() {
    {
        OtherCuts<80> v;
        v.sum<8, 6>(), v.sum<8, 4>(), v.sum<8, 8, 2>(), v.sum<16, 4, 2>();
    }
    {
        OtherCuts<96> v;
        v.sum<8, 5, 4>(), v.sum<8, 4, 4>(), v.sum<8, 6, 2>(), v.sum<8, 8, 2>();
    }
    {
        OtherCuts<108> v;
        v.sum<8, 4, 4>(), v.sum<8, 4, 2>(), v.sum<8, 6, 2>(), v.sum<8, 8, 2>();
    }
    {
        OtherCuts<128> v;
        v.sum<8, 4, 2>(), v.sum<8, 6, 2>(), v.sum<8, 8, 2>(), v.sum<16, 4, 1>();
    }
    {
        OtherCuts<144> v;
        v.sum<8, 4, 2>(), v.sum<8, 6, 2>(), v.sum<4, 8>();
    }
}

#endif

}  // namespace tessera::kernels::inverse_bench
