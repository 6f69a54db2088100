// This program compares the likelihood's compressed quadrature with the exact mode in the same run:
//   bench_compressed [--device auto|cuda|openmp|serial] [--case south|north|small] [--batch N]
//                    [--repeats R] [PARAMETERS STARS]
// On CPUs the exact mode sums 4,096 columns spread over the wedge in groups, and its time is scaled
// to all columns. Each time is the least of R (default 20; 2 per group of columns), so that other
// programs on the machine disturb little. With one thread, times are CPU times.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/likelihood_case.hpp"
#include "bench/stopwatch.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/likelihood/exact/wedge_integrator.hpp"
#include "likelihood/compressed/evaluator.hpp"
#include "likelihood/exact/kernel_tables.hpp"

namespace tessera::bench {
namespace {

/// Seconds of the exact mode's integrals over the whole wedge, with the least of `repeats` per
/// group.
double exact_seconds(const likelihood::WedgeInput& wedge, const kernels::DeviceInfo& device,
                     int repeats) {
    const kernels::Backend backend = device.backend;
    const likelihood::LineOfSight line(wedge.model,
                                       likelihood::milkyway_rule(wedge.model.convolve));
    const kernels::WedgeTables tables = likelihood::wedge_tables(wedge.model, line);
    const auto integrator =
        kernels::make_wedge_integrator(backend, kernels::Precision::double_precision);
    integrator->load(tables);
    integrator->set_model(likelihood::density_model(wedge.model));
    const std::int64_t columns = tables.areas[0].columns(), group = 256;
    const std::int64_t all = columns / group;
    const std::int64_t groups =
        backend == kernels::Backend::cuda ? all : std::min<std::int64_t>(all, 16);
    double measured = 0;
    for (std::int64_t g = 0; g < groups; ++g)
        measured += least_seconds(
            device, repeats, [&] { integrator->integrate(0, g * all / groups * group, group); });
    return measured * static_cast<double>(all) / static_cast<double>(groups);
}

struct Options {
    std::string device = "auto", name = "south";
    std::size_t batch = 32;
    int repeats = 0;
    std::vector<std::string> files;  ///< files of a wedge, instead of a case
};

Options parse(CommandLine line) {
    Options options;
    line.take("--device", options.device);
    line.take("--case", options.name);
    line.take("--batch", options.batch);
    line.take("--repeats", options.repeats);
    options.files = line.rest();
    if (!options.files.empty()) options.name = options.files.front();
    return options;
}

void run(const Options& options, const kernels::DeviceInfo& device) {
    const auto times = [&](int usual) { return options.repeats > 0 ? options.repeats : usual; };
    const likelihood::WedgeInput wedge = likelihood_case(options.name, options.files);
    std::printf("device %s, %d threads; case %s, %zu stars\n", device.name.c_str(), device.threads,
                options.name.c_str(), wedge.stars.size());
    const Stopwatch watch(device);
    likelihood::CompressedEvaluator evaluator(wedge.model, wedge.stars, {}, device.backend);
    std::printf("set-up %.3f s\n", watch.seconds());
    const std::vector<io::StreamModel> one{wedge.model};
    const likelihood::Evaluation result = evaluator.evaluate(one, {}).at(0);
    std::printf("boxes of 4096 nodes a component:");
    for (const std::size_t boxes : evaluator.cost().boxes) std::printf(" %zu", boxes);
    std::printf("\nestimates:");
    for (const double estimate : result.error_estimates) std::printf(" %.1e", estimate);
    const double value = least_seconds(device, times(20), [&] { evaluator.evaluate(one, {}); });
    const double gradient =
        least_seconds(device, times(20), [&] { evaluator.evaluate(one, {.gradient = true}); });
    std::printf("\nvalue %.3f ms, with gradient %.3f ms\n", value * 1e3, gradient * 1e3);
    const std::vector<io::StreamModel> many(options.batch, wedge.model);
    const double together = least_seconds(device, 3, [&] { evaluator.evaluate(many, {}); });
    std::printf("%zu sets at once: %.3f ms a set\n", options.batch,
                together * 1e3 / static_cast<double>(options.batch));
    const double exact = exact_seconds(wedge, device, times(2));
    std::printf("exact integrals %.3f s: %.0f times the compressed value with its stars\n", exact,
                exact / value);
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    const auto options = tessera::bench::parse({argc, argv});
    const tessera::kernels::DeviceRuntime runtime({options.device});
    tessera::bench::run(options, runtime.info());
    return 0;
}
