// Several quasi-Newton climbs that share their batches of evaluations.
#pragma once

#include <functional>

#include "likelihood/fit/quasi_newton.hpp"

namespace tessera::likelihood {

/// Climbs side by side until all are over; after 40, 80, 160 ... steps only the better half goes
/// on, but never less than three. `after_batch` is told the step and which climbs took part.
void race(Objective& objective, std::vector<QuasiNewton>& climbs,
          const std::function<void(std::int64_t, const std::vector<std::size_t>&)>& after_batch);

}  // namespace tessera::likelihood
