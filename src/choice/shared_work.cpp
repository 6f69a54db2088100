#include "choice/shared_work.hpp"

#include <algorithm>
#include <utility>

namespace tessera::choice {

plan::JobPlan share_work(const plan::JobPlan& alone, std::vector<plan::RankPlan> ranks) {
    plan::JobPlan shared = alone;
    shared.ranks = std::move(ranks);
    const plan::JobSize& job = alone.job;
    const auto change_of = [&](auto seconds) {
        return seconds(shared.ranks, job) - seconds(alone.ranks, job);
    };
    for (plan::PhaseEstimate& phase : shared.phases) {
        if (phase.name == job.tile_phase)
            phase.seconds += change_of(plan::tile_seconds);
        else if (!job.second.phase.empty() && phase.name == job.second.phase)
            phase.seconds += change_of(plan::second_stage_seconds);
        else if (phase.name == "start device")
            phase.seconds =
                std::ranges::max_element(shared.ranks, {}, &plan::RankPlan::start_seconds)
                    ->start_seconds;
        phase.seconds = std::max(0.0, phase.seconds);
    }
    return shared;
}

plan::RankPlan with_threads(plan::RankPlan rank, int threads) {
    const double slower = static_cast<double>(rank.device.threads) / threads;
    rank.item_seconds *= slower;
    rank.second_item_seconds *= slower;
    rank.first_tile_seconds *= slower;
    rank.device.threads = threads;
    return rank;
}

}  // namespace tessera::choice
