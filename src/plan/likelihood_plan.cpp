#include "plan/likelihood_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "likelihood/exact/workload.hpp"
#include "likelihood/model/evaluation_checks.hpp"

namespace tessera::plan {

namespace {

using kernels::Precision;
using likelihood::Integration;
using likelihood::LikelihoodInput;
using likelihood::WedgeInput;

// Seconds to write a file of a few numbers, and one line for each star.
constexpr double likelihood_write_seconds = 0.004, star_write_seconds = 5e-8;

/// Work of a wedge in an arbitrary unit. It scales the sample of one wedge to the others.
double work_of(const WedgeInput& wedge) {
    const EvaluationSize size = evaluation_size(wedge.model, wedge.stars.size());
    return size.points * point_operations(size);
}

void plan_exact(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges,
                const PlannedDevice& device, LocalPlan& plan) {
    double points = 0, work = 0, stars = 0;
    for (const WedgeInput& wedge : wedges) {
        points += evaluation_size(wedge.model, 0).points;
        work += work_of(wedge);
        stars += static_cast<double>(wedge.stars.size());
    }
    plan.job = {"likelihood", "grid points", points,
                std::ssize(likelihood::cut_exact_tiles(wedges)), "tiles"};
    plan.rank.precision = likelihood::name_of(input.evaluation.precision);
    plan.rank.arrangement = "exact, about 4e8 points or 8192 stars per tile";
    double seconds = 0;
    if (device.is_here()) {
        const ExactSample sample =
            sample_exact(device.runtime->info(), wedges.front(), input.evaluation);
        const double first = evaluation_size(wedges.front().model, 0).points;
        seconds = sample.point_seconds * first * work / work_of(wedges.front()) +
                  sample.star_seconds * stars;
        plan.rank.first_tile_seconds = sample.table_seconds * static_cast<double>(wedges.size());
        plan.rank.basis = Basis::sampled;
    } else {
        constexpr double table_seconds = 0.007;  // to sort 84,000 nodes (docs/method/benchmarks.md)
        for (const WedgeInput& wedge : wedges)
            seconds +=
                exact_seconds(plan.rank.device, evaluation_size(wedge.model, wedge.stars.size()),
                              input.evaluation.precision);
        plan.rank.first_tile_seconds = table_seconds * static_cast<double>(wedges.size());
    }
    plan.rank.item_seconds = points > 0 ? seconds / points : 0;
    if (input.evaluation.precision == Precision::double_precision) {
        const auto size = evaluation_size(wedges.front().model, wedges.front().stars.size());
        const auto choice = choose_evaluation({&plan.rank.device, 1}, size, 1e-7);
        const double in_double = exact_seconds(plan.rank.device, size, Precision::double_precision);
        if (choice.exact_seconds < 0.8 * in_double)
            plan.notes.push_back(fmt::format("--precision single-compensated (relative error 2e-8) "
                                             "would take {:.2g} of the time",
                                             choice.exact_seconds / in_double));
    }
}

void plan_compressed(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges,
                     const PlannedDevice& device, LocalPlan& plan) {
    plan.job = {"likelihood", "evaluations", static_cast<double>(wedges.size()), std::ssize(wedges),
                "tiles"};
    plan.rank.precision = "double";
    plan.rank.arrangement =
        fmt::format("compressed to {:g}, one wedge per tile", input.evaluation.tolerance);
    double seconds = 0, exactly = 0;
    for (const WedgeInput& wedge : wedges) {
        const EvaluationSize size = evaluation_size(wedge.model, wedge.stars.size());
        CompressedSeconds each = compressed_seconds(plan.rank.device, size);
        if (device.is_here()) {
            const CompressedSample sample =
                sample_compressed(device.runtime->info(), wedge, input.evaluation, false);
            each = sample.seconds;
            if (&wedge == &wedges.front()) plan.rank.first_tile_seconds = sample.cold_seconds;
            if (!sample.missed.empty()) {
                EvaluationSize alone = size;
                alone.streams = static_cast<int>(sample.missed.size());
                exactly += exact_seconds(plan.rank.device, alone, Precision::double_precision);
            }
        }
        seconds += each.set_up + each.value;
    }
    if (exactly > 0)
        plan.notes.push_back(
            fmt::format("some components miss the tolerance and are integrated point by point: "
                        "about {:.3g} s",
                        exactly));
    if (device.is_here()) plan.rank.basis = Basis::sampled;
    plan.rank.item_seconds = (seconds + exactly) / static_cast<double>(wedges.size());
}

}  // namespace

LocalPlan plan_likelihood(const LikelihoodInput& input, const PlanRequest& request) {
    LocalPlan plan;
    std::vector<WedgeInput> wedges;
    const double reading = seconds_of([&] {
        wedges = likelihood::read_wedges(input);
        for (std::size_t w = 0; w < wedges.size(); ++w)
            likelihood::require_streams(wedges[w].model, input.parameters[w]);
    });
    plan.notes = likelihood::warnings_of(input, wedges);
    plan.before = {{"start program", request.program_start_seconds, Basis::measured},
                   {"reading", reading, Basis::measured}};
    const PlannedDevice device = start_device(request, plan.rank);
    const bool exact = input.integration == Integration::exact;
    if (!plan.rank.can_run()) {
        plan.job = {"likelihood", exact ? "grid points" : "evaluations", 0, 0, "tiles"};
        return plan;
    }
    if (exact)
        plan_exact(input, wedges, device, plan);
    else
        plan_compressed(input, wedges, device, plan);
    double stars = 0;
    for (const WedgeInput& wedge : wedges) stars += static_cast<double>(wedge.stars.size());
    plan.after = {
        {"write result", likelihood_write_seconds + star_write_seconds * stars, Basis::table}};
    return plan;
}

}  // namespace tessera::plan
