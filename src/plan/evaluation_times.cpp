// How long the evaluations of a fit or of a sampling take on the device of this rank (declared in
// likelihood_plan.hpp).
#include <fmt/format.h>

#include "plan/likelihood_plan.hpp"

namespace tessera::plan {

CompressedSeconds time_evaluations(const likelihood::LikelihoodInput& input,
                                   const likelihood::WedgeInput& wedge, std::size_t free,
                                   const PlanRequest& request, RankPlan& rank) {
    const bool exact = input.integration == likelihood::Integration::exact;
    rank.precision = likelihood::name_of(input.evaluation.precision);
    rank.arrangement = exact ? std::string("exact, gradients by differences")
                             : fmt::format("compressed to {:g}, up to 32 points per batch",
                                           input.evaluation.tolerance);
    const PlannedDevice device = start_device(request, rank);
    if (!rank.can_run()) return {};
    const EvaluationSize size = evaluation_size(wedge.model, wedge.stars.size());
    CompressedSeconds each = compressed_seconds(rank.device, size);
    if (exact) {
        const double value = exact_seconds(rank.device, size, input.evaluation.precision);
        each = {0, value, value, (1 + 2 * static_cast<double>(free)) * value};
    } else if (device.is_here()) {
        const CompressedSample sample =
            sample_compressed(device.runtime->info(), wedge, input.evaluation, true);
        each = sample.seconds;
        rank.first_tile_seconds = sample.cold_seconds;
        rank.basis = Basis::sampled;
    }
    rank.start_seconds += each.set_up;
    return each;
}

}  // namespace tessera::plan
