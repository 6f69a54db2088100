#include "plan/job_plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <queue>
#include <set>
#include <sstream>

namespace tessera::plan {

namespace {

std::size_t nodes_of(const std::vector<RankPlan>& ranks) {
    std::set<std::string> hosts;
    for (const RankPlan& rank : ranks) hosts.insert(rank.host);
    return hosts.size();
}

}  // namespace

bool JobPlan::can_run() const { return std::ranges::all_of(ranks, &RankPlan::can_run); }

double JobPlan::total_seconds() const {
    double sum = 0;
    for (const PhaseEstimate& phase : phases) sum += phase.seconds;
    return sum;
}

std::size_t JobPlan::nodes() const { return nodes_of(ranks); }

double JobPlan::rate() const {
    double sum = 0;
    for (const RankPlan& rank : ranks) sum += rank.rate();
    return sum;
}

double tile_seconds(const std::vector<RankPlan>& ranks, const JobSize& job) {
    if (job.tiles == 0) return 0;
    const double items = (1 - job.serial_share) * job.items / static_cast<double>(job.tiles);
    using Free = std::pair<double, std::size_t>;  // time at which a rank is free, and the rank
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
    std::vector<bool> began(ranks.size(), false);
    for (std::size_t r = 0; r < ranks.size(); ++r) free.push({0, r});
    double last = 0;
    for (std::int64_t tile = 0; tile < job.tiles; ++tile) {
        auto [time, rank] = free.top();
        free.pop();
        if (!began[rank]) time += ranks[rank].first_tile_seconds;
        began[rank] = true;
        time += items * ranks[rank].item_seconds;
        last = std::max(last, time);
        free.push({time, rank});
    }
    const double fastest =
        std::ranges::min_element(ranks, {}, &RankPlan::item_seconds)->item_seconds;
    return last + job.serial_share * job.items * fastest;
}

double second_stage_seconds(const std::vector<RankPlan>& ranks, const JobSize& job) {
    std::vector<RankPlan> seconds = ranks;
    for (RankPlan& rank : seconds) {
        rank.item_seconds = rank.second_item_seconds;
        rank.first_tile_seconds = 0;
    }
    JobSize second;
    second.items = job.second.items;
    second.tiles = job.second.tiles;
    return tile_seconds(seconds, second);
}

double sync_seconds(const GridWrites& writes, double tile_seconds, std::size_t ranks,
                    std::size_t nodes) {
    if (writes.bytes == 0) return 0;
    // Assumed: during the computation a disk writes at half of its rate in a short trial.
    constexpr double share_during_tiles = 0.5;
    const double rate = writes.synced_rate * static_cast<double>(ranks);
    const double beyond = writes.bytes - writes.cached * static_cast<double>(nodes);
    const double behind = std::clamp(beyond, 0.0, share_during_tiles * rate * tile_seconds);
    return (writes.bytes - behind) / rate;
}

JobPlan combine(const LocalPlan& root, std::vector<RankPlan> ranks) {
    JobPlan plan;
    plan.job = root.job;
    plan.ranks = std::move(ranks);
    plan.notes = root.notes;
    if (!plan.can_run()) return plan;
    plan.phases = root.before;
    const auto slowest = std::ranges::max_element(plan.ranks, {}, &RankPlan::start_seconds);
    plan.phases.push_back({"start device", slowest->start_seconds, slowest->start_basis});
    const double tiles = tile_seconds(plan.ranks, plan.job);
    const double syncing =
        sync_seconds(root.writes, tiles, plan.ranks.size(), nodes_of(plan.ranks));
    plan.phases.push_back({plan.job.tile_phase, tiles + syncing, plan.ranks.front().basis});
    for (const PhaseEstimate& phase : root.after) {
        plan.phases.push_back(phase);
        if (phase.name == plan.job.second.phase)
            plan.phases.back().seconds += second_stage_seconds(plan.ranks, plan.job);
    }
    return plan;
}

double seconds_since_process_began() {
    // Field 22 of stat is the start time in clock ticks since boot. Field 2, the name in
    // parentheses, may hold blanks.
    std::ifstream stat("/proc/self/stat"), uptime("/proc/uptime");
    std::string text;
    std::getline(stat, text);
    const auto name_end = text.rfind(')');
    double now = 0, began = 0;
    if (name_end == std::string::npos || !(uptime >> now)) return 0;
    std::istringstream fields(text.substr(name_end + 1));
    std::string skipped;
    for (int field = 3; field < 22; ++field) fields >> skipped;
    if (!(fields >> began)) return 0;
    return std::max(0.0, now - began / static_cast<double>(sysconf(_SC_CLK_TCK)));
}

}  // namespace tessera::plan
