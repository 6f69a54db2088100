// Prepares a pair while the device still works on the pair before it.
#pragma once

#include <future>
#include <memory>
#include <optional>

#include "core/background_worker.hpp"
#include "docking/pairs/pair_source.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Prepares one pair at a time in a background thread. Reuses what the pair shares with the pair
/// before.
class PairPreparer {
  public:
    /// Pairs and rotations must outlive this object.
    PairPreparer(const PairSource& pairs, const RotationSet& rotations, int threads)
        : pairs_(pairs), rotations_(rotations), threads_(threads) {}

    /// Begins with pair `index`, unless it has begun already. Call take() before asking for another
    /// pair.
    void request(int index);
    bool ready() const;
    /// Waits for the requested pair and returns it. Rethrows the Error of its preparation.
    std::shared_ptr<const PreparedDocking> take();

  private:
    using Prepared = std::shared_ptr<const PreparedDocking>;

    const PairSource& pairs_;
    const RotationSet& rotations_;
    int threads_;
    Prepared former_;
    std::optional<int> index_;
    std::future<Prepared> result_;
    BackgroundWorker worker_;
};

}  // namespace tessera::docking
