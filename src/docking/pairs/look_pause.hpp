// How often a rank looks at the state of the run, which rank 0 keeps.
#pragma once

#include <algorithm>

namespace tessera::docking {

/// Says when the next look is due. Each look at rank 0 costs it up to 14 us (over TCP), so the
/// pause doubles with each look of an idle rank, from 20 ms up to a limit that grows with the
/// number of ranks. All ranks together then take at most 5 % of rank 0's time, up to 7000 ranks.
/// Times are in seconds.
class LookPause {
  public:
    explicit LookPause(int ranks)
        : longest_(std::clamp(request / share * ranks, shortest, longest_of_all)) {}

    /// Whether a look is due. The caller then looks.
    bool is_due(double now) {
        if (now - last_ <= pause_) return false;
        last_ = now;
        pause_ = std::min(2 * pause_, longest_);
        return true;
    }
    /// The rank has work again, so its next wait begins with short pauses.
    void restart() { pause_ = shortest; }

  private:
    static constexpr double request = 14e-6;  ///< of rank 0's time for one look, over TCP
    static constexpr double share = 0.05;     ///< of rank 0's time
    static constexpr double shortest = 0.02, longest_of_all = 2;

    double longest_;
    double pause_ = shortest, last_ = 0;
};

}  // namespace tessera::docking
