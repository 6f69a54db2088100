// From the tiles of a pair to its file.
#pragma once

#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "core/background_worker.hpp"
#include "docking/pairs/owned_pair.hpp"
#include "docking/pairs/pair_run_settings.hpp"
#include "docking/pairs/pair_search.hpp"
#include "docking/run/second_stage.hpp"

namespace tessera::docking {

/// Ranks and refines on the device; clusters, evaluates and writes in a thread of its own, one pair
/// after another.
class PairFinisher {
  public:
    /// Both must outlive it.
    PairFinisher(const PairRunSettings& settings, docking::PairSearch& device)
        : settings_(settings), device_(device) {}

    /// The device's work on the pair, which goes into its record. Throws Error, or TileFailure, where that fails;
    /// with exit code 75 where the refinement was stopped.
    docking::SortedPoses sort_and_refine(int pair, SearchedPair& searched,
                                         const docking::RefinementAlone& refinement);

    /// Returns at once. `journal`: of the pair's tiles, which is removed when the file is there; may be null.
    void write(int pair, SearchedPair searched, docking::SortedPoses sorted,
               std::shared_ptr<DiskJournal<kernels::PoseRecord>> journal);

    /// How the pair ended whose file has waited longest, once it is written or cannot be. Throws RunError
    /// where no other file could be written either: the disk.
    std::optional<PairOutcome> next_written();
    std::size_t being_written() const { return writing_.size(); }

  private:
    struct Writing {
        int pair = 0;
        std::future<std::string> row;
    };

    const PairRunSettings& settings_;
    docking::PairSearch& device_;
    std::deque<Writing> writing_;
    BackgroundWorker writer_;  // last: it uses the rest
};

}  // namespace tessera::docking
