// Which jobs would miss their deadlines.
#pragma once

#include <cstddef>
#include <vector>

#include "queue/policy.hpp"

namespace tessera::queue {

/// The indices of the jobs that would end after their deadline, or within a time slice before it,
/// if the shares alone decided: the round robin is simulated up to the last deadline. Jobs whose
/// deadline has passed do not count. A job of unknown length counts as one that would be late.
std::vector<std::size_t> late_under_shares(const State& state);

}  // namespace tessera::queue
