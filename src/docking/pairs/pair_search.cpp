#include "docking/pairs/pair_search.hpp"

#include "kokkos_kernels/device/device_guard.hpp"

namespace tessera::docking {

std::shared_ptr<kernels::CorrelationSearch>
PairSearch::load(std::shared_ptr<const PreparedDocking> pair) {
    if (search_ && pair_ == pair) return search_;
    const bool same = search_ && pair_ && same_receptor_grids(*pair_, *pair);
    pair_.reset();  // until the new pair is loaded completely
    const bool taken = search_ && search_->load(pair->problem, same);
    if (!taken) {
        search_.reset();  // frees its memory first
        search_ = kernels::kept_if_lost(
            kernels::make_correlation_search(backend_, pair->problem, budget_));
    }
    pair_ = std::move(pair);
    return search_;
}

std::vector<PoseList> PairSearch::sort(const PreparedDocking& pair,
                                       const std::vector<CoefficientSet>& sets, BestRecords& best) {
    const auto with = [&](kernels::TermSums& sums) {
        return sort_records(best.finish(), sets, pair.rotations, pair.frame, sums);
    };
    if (pair_.get() == &pair) return with(*search_);
    return with(*kernels::make_term_sums(backend_, pair.problem));
}

}  // namespace tessera::docking
