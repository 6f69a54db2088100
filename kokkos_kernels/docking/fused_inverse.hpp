// The inverse half of the docking search by hand-written kernels: sum over channels fused with the
// transform along x, then planes fused with the filter's cell minima.
#pragma once

#include "kokkos_kernels/docking/accumulate.hpp"
#include "kokkos_kernels/docking/pose_filter.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"

namespace tessera::kernels {

/// Replaces accumulate(), FftPlan3d::inverse() and CellMinima for the grid sizes it supports. The
/// results differ from theirs by float rounding and do not depend on how many transforms are done
/// at once.
template <class Device>
class FusedInverse {
  public:
    using Space = typename Device::execution_space;

    /// Sizes with kernels, on devices with the shared memory they need (H100, H200); all others go through
    /// the vendor's transform.
    static bool supports(int n);

    /// n must be supported.
    FusedInverse(const Space& space, int n);

    /// Scores and cell minima of `members` orbit members times bases_per_batch bases. Arrays as for
    /// accumulate(); scores end as real grids in the in-place layout of FftPlan3d::inverse.
    void run(const Space& space, const Spectra<Device>& receptor, const Spectra<Device>& ligand,
             const Spectra<Device>& scores, const View2<float, Device>& minima,
             const ChannelTable& table, int members) const;

    /// The steps of run(). accumulate_x is there for problems with fuses_sum().
    void sum_and_first_axis(const Space& space, const Spectra<Device>& receptor,
                            const Spectra<Device>& ligand, const Spectra<Device>& scores,
                            const ChannelTable& table, int members) const;
    bool fuses_sum(const ChannelTable& table) const;
    void accumulate_x(const Space& space, const Complex* receptor, const Complex* ligand,
                      Complex* scores, const ChannelTable& table, int members) const;
    void inverse_x(const Space& space, Complex* scores, int transforms) const;
    void inverse_planes(const Space& space, Complex* scores, float* minima, int transforms) const;

  private:
    FftShape shape_;
    View1<Complex, Device> roots_;  ///< [n] exp(2 pi i k / n)
};

}  // namespace tessera::kernels
