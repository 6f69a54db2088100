// The transforms of the docking search with hand-written kernels. The forward transform skips what
// the ligand cannot reach. The sum over channels is fused with the inverse transform along x, and
// the inverse transform of planes with the filter's cell minima.
#pragma once

#include "kokkos_kernels/docking/accumulate.hpp"
#include "kokkos_kernels/docking/cell_shape.hpp"
#include "kokkos_kernels/docking/receptor_order.hpp"
#include "kokkos_kernels/docking/score_limits.hpp"
#include "kokkos_kernels/docking/score_spectra.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"

namespace tessera::kernels {

/// Replaces FftPlan3d, accumulate() and CellMinima for the grid sizes it supports. The results
/// differ from theirs by float rounding. They do not depend on how many transforms are done at
/// once.
template <class Device>
class FusedTransforms {
  public:
    using Space = typename Device::execution_space;

    /// Whether there are kernels for this size, and the device has the shared memory they need
    /// (H100, H200). All other sizes use the vendor's transform.
    static bool supports(int n);

    /// n must be supported.
    FusedTransforms(const Space& space, int n);

    /// FftPlan3d::forward of grids that are zero where x or y is farther than `reach` grid steps
    /// from 0, in their periods.
    void forward(const Space& space, const float* grids, Complex* spectra, int transforms,
                 int reach) const;

    /// Computes scores and cell minima of `members` orbit members times bases_per_batch bases. The
    /// arrays are those of accumulate(). The scores end as real grids in the in-place layout of
    /// FftPlan3d::inverse. Cells whose minimum is above the limit of their set are undefined.
    void run(const Space& space, const ScoreSpectra<Device>& spectra,
             const View2<float, Device>& minima, const ChannelTable& table, int members,
             const ScoreLimits& limits = {}) const;

    /// The steps of run(). accumulate_x exists only for problems with fuses_sum().
    void sum_and_first_axis(const Space& space, const ScoreSpectra<Device>& spectra,
                            const ChannelTable& table, int members) const;
    bool fuses_sum(const ChannelTable& table) const;
    /// The order in which the receptor's spectra must lie.
    ReceptorOrder receptor_order(const ChannelTable& table) const;
    void accumulate_x(const Space& space, const Complex* receptor, const Complex* ligand,
                      Complex* scores, const ChannelTable& table, int members) const;
    void inverse_x(const Space& space, Complex* scores, int transforms) const;
    void inverse_planes(const Space& space, Complex* scores, float* minima, int transforms,
                        int sets = 1, const ScoreLimits& limits = {}) const;

  private:
    FftShape shape_;
    View1<Complex, Device> roots_;  ///< [n] exp(2 pi i k / n)
};

}  // namespace tessera::kernels
