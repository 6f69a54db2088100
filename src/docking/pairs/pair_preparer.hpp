// Preparation of a pair while the device still works on the one before.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "core/background_worker.hpp"
#include "docking/pairs/pair_list.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// One pair at a time, in a thread of its own; what the pair before it shares is taken over.
class PairPreparer {
  public:
    /// Pairs and rotations must outlive it.
    PairPreparer(const std::vector<const DockPair*>& pairs, const RotationSet& rotations,
                 int threads)
        : pairs_(pairs), rotations_(rotations), threads_(threads) {}

    /// Begins with pair `index`, unless that has been asked for. Another one asked for must have been
    /// taken before.
    void request(int index);
    bool ready() const;
    /// Waits for the pair asked for and gives it away; rethrows its Error.
    std::shared_ptr<const PreparedDocking> take();

  private:
    using Prepared = std::shared_ptr<const PreparedDocking>;

    const std::vector<const DockPair*>& pairs_;
    const RotationSet& rotations_;
    int threads_;
    Prepared former_;
    std::optional<int> index_;
    std::future<Prepared> result_;
    BackgroundWorker worker_;
};

}  // namespace tessera::docking
