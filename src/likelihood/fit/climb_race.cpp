#include "likelihood/fit/climb_race.hpp"

#include <algorithm>

namespace tessera::likelihood {

namespace {

constexpr std::int64_t first_halving = 40;  // steps
constexpr std::size_t fewest_climbs = 3;

void leave_worse_half(const std::vector<QuasiNewton>& climbs, std::vector<bool>& left_behind) {
    std::vector<Candidate> reached;
    for (const QuasiNewton& one : climbs) reached.push_back({{}, one.slope().value});
    std::vector<std::size_t> going;
    for (const std::size_t i : by_likelihood(reached))
        if (!left_behind[i]) going.push_back(i);
    const std::size_t kept = std::max(fewest_climbs, (going.size() + 1) / 2);
    for (std::size_t k = kept; k < going.size(); ++k) left_behind[going[k]] = true;
}

}  // namespace

void race(Objective& objective, std::vector<QuasiNewton>& climbs,
          const std::function<void(std::int64_t, const std::vector<std::size_t>&)>& after_batch) {
    std::vector<bool> left_behind(climbs.size(), false);
    std::int64_t halving = first_halving;
    for (std::int64_t step = 1;; ++step) {
        if (step > halving) {
            leave_worse_half(climbs, left_behind);
            halving *= 2;
        }
        std::vector<Point> points;
        std::vector<std::size_t> asking;
        for (std::size_t i = 0; i < climbs.size(); ++i)
            if (!climbs[i].over() && !left_behind[i]) {
                points.push_back(climbs[i].proposal());
                asking.push_back(i);
            }
        if (points.empty()) return;
        const auto slopes = objective.slopes(points);
        for (std::size_t k = 0; k < asking.size(); ++k) climbs[asking[k]].accept(slopes[k]);
        after_batch(step, asking);
    }
}

}  // namespace tessera::likelihood
