// The search on a rank's device, which is reused from pair to pair.
#pragma once

#include <memory>
#include <vector>

#include "docking/search/sort_poses.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

class PairSearch {
  public:
    /// `budget`: bytes of device memory that it may take.
    PairSearch(kernels::Backend backend, std::int64_t budget)
        : backend_(backend), budget_(budget) {}

    /// A search for the tiles of this pair. FFT plans and arrays are reused if the grid has the
    /// same size, and the spectra of the receptor if the receptor is the same. Throws Error if the
    /// pair does not fit into the device.
    std::shared_ptr<kernels::CorrelationSearch> load(std::shared_ptr<const PreparedDocking> pair);

    /// Sorted lists of a pair's best records. The bits are the same whether the search still holds
    /// the pair or not.
    std::vector<PoseList> sort(const PreparedDocking& pair, const std::vector<CoefficientSet>& sets,
                               BestRecords& best);

  private:
    kernels::Backend backend_;
    std::int64_t budget_;
    std::shared_ptr<kernels::CorrelationSearch> search_;
    std::shared_ptr<const PreparedDocking> pair_;  ///< the pair that search_ holds
};

}  // namespace tessera::docking
