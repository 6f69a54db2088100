// What the kernels of the exact mode do, and for which models.
#pragma once

#include "kokkos_kernels/likelihood/elementary.hpp"

namespace tessera::kernels {

/// The steps that made the exact mode fast. The bench measures each of them.
struct AllSteps {
    using Functions = OwnFunctions;
    static constexpr bool skip = true;                ///< leave out segments that cannot count
    static constexpr bool shared_exponential = true;  ///< one full exponential per chunk
    static constexpr bool tracks = false;             ///< streams may have tracks
    static constexpr bool disks = false;              ///< disks may have scales of their own
};

/// Tracks need many registers. Models without them have kernels of their own.
template <class Steps>
struct WithTracks : Steps {
    static constexpr bool tracks = true;
};

/// So do disks with scales of their own.
template <class Steps>
struct WithDisks : Steps {
    static constexpr bool disks = true;
};

/// How exponentials whose exponents reach so far within a chunk, in bits, are evaluated: 0 to 2 by
/// the series from low to high degree, 3 each by itself.
template <class Steps, class Real>
KOKKOS_INLINE_FUNCTION int series_for(double reach) {
    using Reach = SeriesReach<Real>;
    return !Steps::shared_exponential     ? 3
           : reach <= Reach::low_reach    ? 0
           : reach <= Reach::middle_reach ? 1
           : reach <= Reach::high_reach   ? 2
                                          : 3;
}

}  // namespace tessera::kernels
