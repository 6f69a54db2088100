// This program times evaluations of the compressed mode with observables of the stars, and compares
// the device with the host:
//   bench_observed_stars [--device auto|cuda|openmp|serial] [--stars N] [--streams S]
//                        [--populations P] [--repeats R] [--skip-host] [PARAMETERS]
// The stars (default 1,000,000) are drawn from the model of a file, or from stripe 82 with S
// streams (default 2), P populations of the background (default 2), two proper motions with
// correlated errors and a radial velocity, which four stars in five lack. Each time is the least of
// R (default 10). The rows are the model without and with the observables. On a GPU, the last line
// compares with the OpenMP backend of the same program.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/stopwatch.hpp"
#include "io/streams/stream_parameters.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "likelihood/simulate/simulate.hpp"

namespace tessera::bench {
namespace {

using likelihood::Evaluation;
using likelihood::Star;
using likelihood::StreamModel;

struct Options {
    std::string device = "auto";
    std::size_t stars = 1000000, streams = 2, populations = 2;
    int repeats = 10;
    bool host = true;
    std::string parameters;  ///< file of the model; empty: stripe 82
};

Options parse(CommandLine line) {
    Options options;
    line.take("--device", options.device);
    line.take("--stars", options.stars);
    line.take("--streams", options.streams);
    line.take("--populations", options.populations);
    line.take("--repeats", options.repeats);
    options.host = !line.take("--skip-host");
    if (!line.rest().empty()) options.parameters = line.rest().front();
    return options;
}

/// Distributions that differ by component.
std::vector<io::Spread> spreads(std::size_t component) {
    const auto k = static_cast<double>(component);
    return {{0.3 - 0.9 * k, 0.01 + 0.002 * k, 0, 3 / (1 + k)},
            {-1.2 + 0.5 * k, 0, 0.0002, 2.5 / (1 + k)},
            {10 - 40 * k, -0.5 + 0.3 * k, 0.001 * k, 120 / (1 + k)}};
}

StreamModel observed_model(const Options& options) {
    StreamModel model;
    model.wedge = 82;
    model.model = io::Model::model2018;
    model.background.epsilon = 0.9997;
    model.background.q = 0.52;
    const std::vector<io::Stream> streams = {{-2.5, 376, 27, 2.9, 2.4, 1.4},
                                             {-0.3, 370, 40, 1.3, 0.5, 22},
                                             {0.5, 391, 23, 0.9, 0.6, 4.7},
                                             {-1.4, 393, 27, 2.1, 0.3, 0.86}};
    model.areas = {{{16, 22.5, 700}, {350, 400, 800}, {-1.25, 1.25, 320}}};
    model.observables = {
        {"pm_l", "pml", "pml_error"}, {"pm_b", "pmb", "pmb_error", {""}}, {"v", "rv", "rv_error"}};
    model.observables[2].correlations = {"", ""};
    for (io::Observable& one : model.observables) {
        one.simulated_error = 0.3;
        one.simulated_growth = 1.4;
    }
    model.observables[2].simulated_error = 4;
    model.observables[2].simulated_share = 0.2;
    for (std::size_t p = 0; p < options.populations; ++p)
        model.background.populations.push_back({p == 0 ? 0.0 : -0.7, spreads(p)});
    for (std::size_t s = 0; s < options.streams; ++s) {
        model.streams.push_back(streams.at(s % streams.size()));
        model.streams.back().observables = spreads(options.populations + s);
    }
    return model;
}

std::vector<Star> drawn_stars(const StreamModel& model, std::size_t number) {
    const likelihood::StarDrawer drawer(model, 7);
    const std::size_t a_part = 4096, parts = (number + a_part - 1) / a_part;
    std::vector<Star> stars(number);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = part * a_part, count = std::min(a_part, number - first);
        const auto drawn =
            drawer.draw(static_cast<std::int64_t>(first), static_cast<std::int64_t>(count));
        for (std::size_t i = 0; i < count; ++i) stars[first + i] = drawn[i].star;
    }
    // The errors of the first two observables are correlated.
    const std::size_t at = io::correlation_place(model.observables.size(), 1, 0);
    for (std::size_t i = 0; i < number; ++i)
        stars[i].observed.at(at) = 0.8 * std::sin(static_cast<double>(i));
    return stars;
}

struct Measured {
    double value = 0, gradient = 0;  ///< seconds
    Evaluation evaluation;           ///< with its gradient
};

Measured measured(const StreamModel& model, const std::vector<Star>& stars,
                  const kernels::DeviceInfo& device, int repeats) {
    const auto evaluator = likelihood::make_compressed_evaluator(model, stars, {}, device.backend);
    Measured of;
    of.evaluation = evaluator->evaluate({&model, 1}, {.gradient = true}).at(0);
    of.value = least_seconds(device, repeats, [&] { evaluator->evaluate({&model, 1}, {}); });
    of.gradient = least_seconds(device, repeats, [&] {
        evaluator->evaluate({&model, 1}, {.gradient = true});
    });
    return of;
}

void print(const char* name, const Measured& of) {
    std::printf("%-20s value %.3f ms, with gradient %.3f ms; likelihood %.15g\n", name,
                of.value * 1e3, of.gradient * 1e3, of.evaluation.search_likelihood);
    std::fflush(stdout);
}

/// The largest difference of the gradients, relative to the larger of 1 and the component.
double gradient_difference(const Evaluation& a, const Evaluation& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.gradient.size(); ++i)
        worst = std::max(worst, std::abs(a.gradient[i] - b.gradient[i]) /
                                    std::max(1.0, std::abs(b.gradient[i])));
    return worst;
}

void run(const Options& options, const kernels::DeviceInfo& device) {
    const StreamModel model = options.parameters.empty()
                                  ? observed_model(options)
                                  : io::read_stream_parameters(options.parameters);
    const std::vector<Star> stars = drawn_stars(model, options.stars);
    std::printf("device %s, %d threads; %zu stars, %zu streams, %zu populations, %zu observables\n",
                device.name.c_str(), device.threads, stars.size(), model.streams.size(),
                model.background.populations.size(), model.observables.size());
    StreamModel without = model;
    without.observables.clear();
    without.background.populations.clear();
    for (io::Stream& stream : without.streams) stream.observables.clear();
    print("without observables", measured(without, stars, device, options.repeats));
    const Measured with = measured(model, stars, device, options.repeats);
    print("with observables", with);
    if (device.backend != kernels::Backend::cuda || !options.host) return;
    kernels::DeviceInfo host = device;
    host.backend = kernels::Backend::openmp;
    const Measured other = measured(model, stars, host, 1);
    std::printf("device less host: likelihood %.1e relative, gradient %.1e\n",
                with.evaluation.search_likelihood / other.evaluation.search_likelihood - 1,
                gradient_difference(with.evaluation, other.evaluation));
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    const auto options = tessera::bench::parse({argc, argv});
    const tessera::kernels::DeviceRuntime runtime({options.device});
    tessera::bench::run(options, runtime.info());
    return 0;
}
