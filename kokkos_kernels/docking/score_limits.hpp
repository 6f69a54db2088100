// Limits above which scores are of no interest, learned from the poses found so far.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::kernels {

/// A score above the limit of its set need not be stored. A rotation that lacks poses below the
/// limit is marked by `beyond_limit`, and must be scored again without limits. So limits change the
/// time of a search, and never its results.
struct ScoreLimits {
    static constexpr float none = Kokkos::Experimental::infinity_v<float>;
    static constexpr float beyond_limit = -none;
    float of_set[max_coefficient_sets];

    ScoreLimits() { std::fill(std::begin(of_set), std::end(of_set), none); }
};

/// Follows the scores of the last poses of the rotations. About 2 % of the cells of a grid have a
/// score below such limits, and few passes must be repeated.
class LearnedLimits {
  public:
    /// If limits do not `apply`, there are none.
    explicit LearnedLimits(bool apply) : apply_(apply) {}

    bool are_set() const { return std::ranges::any_of(limits_.of_set, is_limit); }
    const ScoreLimits& limits() const { return limits_; }
    void forget() { limits_ = ScoreLimits(); }

    /// Takes the highest score of the last pose of any rotation in a pass, by set.
    void learn(const std::vector<float>& highest) {
        if (!apply_) return;
        for (std::size_t set = 0; set < highest.size(); ++set) {
            float& limit = limits_.of_set[set];
            const float now = highest[set] < 0 ? margin * highest[set] : ScoreLimits::none;
            // An exceptional rotation is forgotten in the course of some passes.
            limit = std::max(now, limit < 0 ? limit + memory * (now - limit) : now);
        }
    }

  private:
    static bool is_limit(float limit) { return limit < ScoreLimits::none; }

    static constexpr float margin = 0.85F, memory = 0.1F;
    bool apply_;
    ScoreLimits limits_;
};

}  // namespace tessera::kernels
