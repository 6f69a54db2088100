// Tries evaluations on the device of this machine (declared in likelihood_plan.hpp).
#include <algorithm>
#include <cmath>

#include "kokkos_kernels/likelihood/exact/wedge_integrator.hpp"
#include "likelihood/exact/kernel_tables.hpp"
#include "likelihood/exact/workload.hpp"
#include "plan/likelihood_plan.hpp"

namespace tessera::plan {

namespace {

using likelihood::EvaluatorOptions;
using likelihood::WedgeInput;

constexpr double column_seconds = 0.3;  // of columns

double nodes_of(const likelihood::StreamModel& model, const io::Area& area) {
    return static_cast<double>(area.r.steps) * model.convolve;
}

std::int64_t columns_of(const io::Area& area) {
    return std::int64_t{area.mu.steps} * area.nu.steps;
}

/// Seconds for one node. Integrates columns of the first area, in pieces that are spread over it,
/// until column_seconds are spent.
double sample_columns(kernels::WedgeIntegrator& integrator, const likelihood::StreamModel& model,
                      bool gpu) {
    const io::Area& area = model.areas.front();
    const std::int64_t all = columns_of(area);
    // A GPU needs as many columns as a tile has. For a core, the 256 columns of a block are enough.
    const std::int64_t tile =
        likelihood::cut_exact_tiles(std::vector<WedgeInput>{{model, {}}}).front().count;
    const std::int64_t piece = std::min(gpu ? tile : std::int64_t{256}, all);
    const std::int64_t places = std::max<std::int64_t>(1, all / piece);
    integrator.integrate(0, 0, std::min<std::int64_t>(piece, 256));  // the first launch is slower
    double seconds = 0, columns = 0;
    for (int turn = 0; turn < 64 && seconds < column_seconds && columns < static_cast<double>(all);
         ++turn) {
        // Multiples of the golden ratio fill a range evenly, whatever their number.
        const auto place = static_cast<std::int64_t>(
            std::fmod((turn + 0.5) * 0.6180339887498949, 1.0) * static_cast<double>(places));
        const std::int64_t first = std::min(place * piece, all - piece);
        seconds += seconds_of([&] { integrator.integrate(0, first, piece); });
        columns += static_cast<double>(piece);
    }
    return seconds / (columns * nodes_of(model, area));
}

}  // namespace

ExactSample sample_exact(const kernels::DeviceInfo& device, const WedgeInput& wedge,
                         const EvaluatorOptions& options) {
    const likelihood::StreamModel& model = wedge.model;
    ExactSample sample;
    const auto integrator = kernels::make_wedge_integrator(device.backend, options.precision);
    const likelihood::LineOfSight line(model, likelihood::rule_of(model, options.quadrature));
    sample.table_seconds = seconds_of([&] {
        integrator->load(likelihood::wedge_tables(model, line));
        integrator->set_model(likelihood::density_model(model));
    });
    sample.point_seconds =
        sample_columns(*integrator, model, device.backend == kernels::Backend::cuda);
    const std::size_t most = device.backend == kernels::Backend::cuda ? 8192 : 1024;
    const std::size_t stars = std::min(wedge.stars.size(), most);
    if (stars > 0)
        sample.star_seconds = seconds_of([&] {
                                  integrator->star_densities(likelihood::star_table(
                                      std::span(wedge.stars).first(stars), line));
                              }) /
                              static_cast<double>(stars);
    return sample;
}

CompressedSample sample_compressed(const kernels::DeviceInfo& device, const WedgeInput& wedge,
                                   const EvaluatorOptions& options, bool gradients) {
    constexpr std::size_t few = 256;
    const std::size_t most = device.backend == kernels::Backend::cuda ? 100000 : 4000;
    EvaluatorOptions without = options;
    without.fall_back = false;  // point-by-point sums would take minutes
    const std::span<const likelihood::Star> stars(wedge.stars);
    CompressedSample sample;
    std::unique_ptr<likelihood::WedgeEvaluator> evaluator;
    const auto make = [&](std::size_t count) {
        return seconds_of([&] {
            evaluator = likelihood::make_compressed_evaluator(wedge.model, stars.first(count),
                                                              without, device.backend);
        });
    };
    const auto value = [&](bool gradient) {
        return seconds_of([&] {
            const auto found = evaluator->evaluate({&wedge.model, 1}, {false, gradient}).at(0);
            sample.missed.clear();
            for (std::size_t k = 0; k + 1 < found.error_estimates.size(); ++k)
                if (!(found.error_estimates[k] <= options.tolerance))
                    sample.missed.push_back(static_cast<int>(k));
        });
    };
    const std::size_t small = std::min(few, stars.size()), large = std::min(most, stars.size());
    const double cold = make(large) + value(false);
    const double small_set_up = make(small), small_value = value(false);
    const double large_set_up = make(large), large_value = value(false);
    sample.cold_seconds = std::max(0.0, cold - large_set_up - large_value);
    const auto more = std::max(1.0, static_cast<double>(large - small));
    const double per = std::max(0.0, large_value - small_value) / more;
    const double set_up_per = std::max(0.0, large_set_up - small_set_up) / more;
    const auto rest = static_cast<double>(stars.size() - large);
    sample.seconds.set_up = large_set_up + set_up_per * rest;
    sample.seconds.value = large_value + per * rest;
    sample.seconds.value_of_many = sample.seconds.value;
    if (!gradients) return sample;
    const double factor = value(true) / large_value;
    sample.seconds.gradient = sample.seconds.value * factor;
    const std::vector<likelihood::StreamModel> many(8, wedge.model);
    const double of_many = seconds_of([&] { evaluator->evaluate(many, {false, false}); });
    sample.seconds.value_of_many = sample.seconds.value * of_many / (8 * large_value);
    return sample;
}

}  // namespace tessera::plan
