// Other cuts of the fused inverse kernels, on CUDA devices.
#pragma once

#include <cstdio>

#include "bench/inverse_arrays.hpp"
#include "kokkos_kernels/docking/accumulate_x.hpp"
#include "kokkos_kernels/docking/inverse_planes.hpp"

namespace tessera::kernels::inverse_bench {

#ifdef KOKKOS_ENABLE_CUDA

/// Times other cuts of the kernels of one size. Their results are not compared.
template <int N, int Sets>
class OtherCuts {
  public:
    OtherCuts()
        : receptor_("receptor", members * channels, ReceptorOrder::stride(N)),
          ligand_("ligand", B * channels, FftShape{N}.spectrum_stride()),
          scores_("scores", transforms * Sets, FftShape{N}.spectrum_stride()),
          roots_("roots", N),
          minima_("minima", transforms * Sets, CellShape{N}.cells()) {
        table_.channels = channels;
        table_.sets = Sets;
        table_.terms = Sets == 1 ? 1 : max_terms;
        for (auto& set : table_.weight)
            for (float& weight : set) weight = 1;
    }

    template <int Width, int Groups, int Bases, int Slots>
    void sum() {
        constexpr SumCut Cut{Width, Groups, Bases, Slots};
        using Kernel = AccumulateInverseX<N, channels, Sets, Cut>;
        const Kernel kernel{receptor_.data(), ligand_.data(), scores_.data(),
                            roots_.data(),    table_,         members};
        const double time = microseconds_per_rotation(
            space_, [&] { launch_blocks("sum", space_, Kernel::blocks(), kernel); });
        std::printf(
            "%4d sum+x %d sets, width %2d groups %2d bases %d slots %d: %4d threads x %d %6d B "
            "%8.2f us\n",
            N, table_.sets, Cut.width, Cut.groups, Cut.bases, Cut.slots, Kernel::threads,
            Kernel::blocks_per_unit, Kernel::shared_bytes, time);
        std::fflush(stdout);
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
        OtherCuts<128, 1> v;
        v.sum<4, 4, 2, 1>(), v.sum<8, 4, 2, 1>(), v.sum<4, 8, 4, 1>(), v.sum<8, 4, 1, 1>();
    }
    {
        OtherCuts<128, 4> v;
        v.sum<8, 2, 1, 1>(), v.sum<8, 2, 1, 2>(), v.sum<8, 4, 1, 1>(), v.sum<4, 4, 1, 1>();
    }
    {
        OtherCuts<108, 1> v;
        v.sum<4, 4, 2, 1>(), v.sum<4, 6, 2, 1>(), v.sum<4, 8, 4, 2>(), v.sum<8, 4, 2, 1>();
    }
    {
        OtherCuts<108, 4> v;
        v.sum<8, 2, 1, 2>(), v.sum<8, 3, 1, 1>(), v.sum<8, 4, 1, 1>(), v.sum<4, 4, 1, 2>();
    }
}

#endif

}  // namespace tessera::kernels::inverse_bench
