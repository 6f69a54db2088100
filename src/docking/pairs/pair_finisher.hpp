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

/// Sorts and refines poses on the device. A background thread clusters, evaluates and writes one
/// pair after another.
class PairFinisher {
  public:
    /// Both arguments must outlive this object.
    PairFinisher(const PairRunSettings& settings, PairSearch& device)
        : settings_(settings), device_(device) {}

    /// Does the device's work on the pair and notes it in searched.record. Throws Error or
    /// TileFailure if it fails. The exit code is 75 if the refinement was stopped.
    SortedPoses sort_and_refine(int pair, SearchedPair& searched,
                                const RefinementAlone& refinement);

    /// Starts to write the pair's file and returns at once. `journal` (may be null) holds the
    /// pair's tiles and is removed when the file is there.
    void write(int pair, SearchedPair searched, SortedPoses sorted,
               std::shared_ptr<DiskJournal<kernels::PoseRecord>> journal);

    /// The outcome of the pair that has waited longest, once its file is written or has failed.
    /// Throws RunError if the disk would fail for other pairs, too.
    std::optional<PairOutcome> next_written();
    std::size_t being_written() const { return writing_.size(); }

  private:
    struct Writing {
        int pair = 0;
        std::future<WrittenPair> file;
    };

    const PairRunSettings& settings_;
    PairSearch& device_;
    std::deque<Writing> writing_;
    BackgroundWorker writer_;  // last: it uses the rest
};

}  // namespace tessera::docking
