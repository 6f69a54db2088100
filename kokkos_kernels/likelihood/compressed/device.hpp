// The compressed quadrature on one device: integrals and sums over stars for many parameter sets.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/likelihood/compressed/problem.hpp"
#include "kokkos_kernels/likelihood/track.hpp"

namespace tessera::kernels::compressed {

/// Parameter sets and the boxes of their components. Tasks are grouped: the tasks of set i,
/// component k, area a go from first_task[(i * components + k) * areas + a] to the next entry.
struct Batch {
    std::vector<BackgroundValues> backgrounds;  ///< [set]
    std::vector<StreamValues> streams;          ///< [set][stream]
    std::vector<TrackPiece> tracks;             ///< of all streams with tracks
    std::vector<PanelRules> star_rules;         ///< [set]
    std::vector<BoxTask> tasks;
    std::vector<int> first_task;
    /// [set][component] integrals. They replace the sums over boxes unless they are NaN.
    std::vector<double> given;
    /// [set][distribution][distribution_numbers()] of the observables; empty without them.
    std::vector<double> observed;
    bool gradient = false, densities = false, terms = false;
};

struct BatchSums {
    std::vector<double> areas;      ///< [set][component][area][sums_with(own_disks)]
    std::vector<double> integrals;  ///< [set][component]
    /// [set][StarSumLayout::size()]; behind each the moments of disks of one's own with the
    /// gradient: d ln P / d of their factors, and the same times R and |Z| (kpc)
    std::vector<double> stars;
    std::vector<double> log_density;  ///< [set][star] if requested
    /// [set][star][component] W_k p_k / (I_k sum W), background first, if requested
    std::vector<double> terms;
    // Of the observables:
    std::vector<double> log_scale_sums;  ///< [set] of natural logarithms of the stars' scales
    std::vector<double> log_scale;       ///< [set][star] the same of each star, with the densities
    std::vector<double> slopes;          ///< [set][distribution][slope_numbers()] with the gradient
};

class Device {
  public:
    virtual ~Device() = default;
    /// The sums of a set do not depend on the other sets of the batch.
    virtual BatchSums run(const Batch& batch) = 0;
};

std::unique_ptr<Device> make_device(const Problem& problem, Backend backend);

}  // namespace tessera::kernels::compressed
