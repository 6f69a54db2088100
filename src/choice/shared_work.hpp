// The plan of one process, shared out among several.
#pragma once

#include <vector>

#include "plan/job_plan.hpp"

namespace tessera::choice {

/// The plan of a job on `ranks`, from its plan on one rank. What the ranks share are the tiles and
/// the second stage. All other phases stay as they were.
plan::JobPlan share_work(const plan::JobPlan& alone, std::vector<plan::RankPlan> ranks);

/// A rank on a host with fewer threads than it was planned for. Its speed is proportional to them.
plan::RankPlan with_threads(plan::RankPlan rank, int threads);

}  // namespace tessera::choice
