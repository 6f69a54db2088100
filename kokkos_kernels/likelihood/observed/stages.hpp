// The observables of the stars of a wedge on a device, in the two stages of an evaluation: factors
// before the sums over stars, slopes after them.
#pragma once

#include "kokkos_kernels/likelihood/compressed/memory.hpp"
#include "kokkos_kernels/likelihood/observed/table.hpp"

namespace tessera::kernels {

/// Arrays of an evaluation, all on the device.
struct ObservedArrays {
    int sets = 0;
    const double* distributions = nullptr;  ///< [set][distribution][distribution_numbers()]
    bool gradient = false;                  ///< whether slopes() follows
    double* scale_sums = nullptr;           ///< [set] sums of the natural logarithms of the scales
    double* log_scale = nullptr;            ///< [set][star], or null: not wanted
    const double* terms = nullptr;          ///< [set][star][1 + streams] of the densities
    double* slopes = nullptr;               ///< [set][distribution][slope_numbers()]
};

template <class Memory>
class ObservedStages {
  public:
    using Space = typename Memory::execution_space;

    ObservedStages(const Space& space, const ObservedTable& table);

    bool empty() const { return width_ == 0; }
    int distributions() const { return populations_ + streams_; }
    int width() const { return width_; }
    /// Returns the factors of the densities [set][star][1 + streams], at most 1.
    const double* factors(const Space& space, const ObservedArrays& arrays);
    void slopes(const Space& space, const ObservedArrays& arrays);

  private:
    template <template <int, class> class Kernel>
    void launch(const Space& space, const char* label, const ObservedArrays& arrays, int rows,
                int numbers, double* out);
    template <class Kernel>
    void launch_as(const Space& space, const char* label, const ObservedArrays& arrays, int rows,
                   int numbers, double* out);

    int stars_, width_, populations_, streams_;
    std::size_t stride_;
    View1<double, Memory> columns_;
    compressed::Bytes<typename Memory::memory_space> factors_, shares_, partials_;
};

}  // namespace tessera::kernels
