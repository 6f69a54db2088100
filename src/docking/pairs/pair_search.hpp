// The one search of a rank's device, which goes from pair to pair.
#pragma once

#include <memory>
#include <vector>

#include "docking/search/dock_workload.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

class PairSearch {
  public:
    /// `budget`: bytes of device memory it may take.
    PairSearch(kernels::Backend backend, std::int64_t budget)
        : backend_(backend), budget_(budget) {}

    /// Ready for tiles of this pair. Plans and arrays stay where the grid is of the same size, the
    /// receptor's spectra where it is the same. Throws Error where it does not fit the device.
    std::shared_ptr<kernels::CorrelationSearch> load(std::shared_ptr<const PreparedDocking> pair);

    /// Sorted lists of a pair's best records, whether the search still holds it or not: the same bits.
    std::vector<PoseList> sort(const PreparedDocking& pair, const std::vector<CoefficientSet>& sets,
                               BestRecords& best);

  private:
    kernels::Backend backend_;
    std::int64_t budget_;
    std::shared_ptr<kernels::CorrelationSearch> search_;
    std::shared_ptr<const PreparedDocking> pair_;  ///< whose problem it holds
};

}  // namespace tessera::docking
