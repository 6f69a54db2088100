// Several quasi-Newton climbs that share their batches of evaluations.
#pragma once

#include <functional>

#include "likelihood/fit/quasi_newton.hpp"

namespace tessera::likelihood {

/// Runs all climbs side by side until they are over. After 40, 80, 160 ... steps only the better
/// half continues, but at least three. `after_batch` receives the step and the climbs that took
/// part in it.
void race(Objective& objective, std::vector<QuasiNewton>& climbs,
          const std::function<void(std::int64_t, const std::vector<std::size_t>&)>& after_batch);

}  // namespace tessera::likelihood
