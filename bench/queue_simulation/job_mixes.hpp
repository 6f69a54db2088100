// Synthetic mixes of jobs for the simulation of the queue.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "queue/simulation.hpp"

namespace tessera::bench {

struct JobMix {
    std::string name;
    queue::State start;  ///< machine, projects and slice
    std::vector<queue::SimulatedJob> jobs;
};

/// All mixes, with the same jobs for the same seed.
std::vector<JobMix> job_mixes(std::uint64_t seed);

}  // namespace tessera::bench
