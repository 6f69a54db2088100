#include "bench/orbital/latency.hpp"

#include <Kokkos_Core.hpp>
#include <chrono>
#include <vector>

#include "bench/orbital/bench_output.hpp"
#include "bench/orbital/tile_fetch.hpp"
#include "kokkos_kernels/device/block_launch.hpp"

namespace tessera::bench {

namespace {

struct EmptyKernel {
    static constexpr int threads = 64, blocks_per_unit = 1, shared_bytes = 1024;
    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block&) const {}
};

/// Median microseconds of many calls.
template <class Call>
double microseconds(int calls, const Call& call) {
    std::vector<double> times;
    for (int i = 0; i < 21; ++i) {
        const auto start = std::chrono::steady_clock::now();
        for (int c = 0; c < calls; ++c) call();
        times.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e6 /
            calls);
    }
    return median(times);
}

template <class Space>
void launches(const Space& space) {
    const auto launch = [&] { kernels::launch_blocks("bench::empty", space, 1, EmptyKernel{}); };
    launch();
    space.fence("bench: warm");
    std::printf("%-58s %10.2f\n", "kernel launch and waiting for it", microseconds(200, [&] {
                    launch();
                    space.fence("bench: one launch");
                }));
    std::printf("%-58s %10.2f\n", "kernel launch, one of 1000 in a row",
                microseconds(1, [&] {
                    for (int i = 0; i < 1000; ++i) launch();
                    space.fence("bench: many launches");
                }) / 1000);
}

/// One s function that is practically zero on the grid of `side`^3 points.
kernels::OrbitalProblem nearly_nothing(int side) {
    kernels::OrbitalProblem problem;
    problem.groups = {{{0, 0, -1000}, 1.0, 0, 0}};
    problem.coefficients = {{1.0}};
    problem.grid = {{0, 0, 0}, {0.14, 0.14, 0.14}, {side, side, side}};
    return problem;
}

}  // namespace

void time_latencies(const mpi::Communicator& world, const Options& options,
                    const kernels::DeviceInfo& device, kernels::OrbitalEvaluator& evaluator) {
    const double fetch = tile_fetch_seconds(world, options.tiles);
    if (world.is_root()) {
        std::printf("\n%-58s %10s\n", "latencies", "us");
        std::printf("%-58s %10.2f\n",
                    ("a tile from the counter, " + std::to_string(world.size()) +
                     (world.size() > 1 ? " ranks at once" : " rank"))
                        .c_str(),
                    fetch * 1e6);
#ifdef KOKKOS_ENABLE_CUDA
        if (device.backend == kernels::Backend::cuda) launches(Kokkos::Cuda());
#endif
        if (device.backend == kernels::Backend::openmp) launches(Kokkos::OpenMP());
        const std::vector<int> one{0};
        for (const int side : {8, 172}) {
            const auto problem = nearly_nothing(side);
            evaluator.load(problem);
            const Output out(device.backend == kernels::Backend::cuda,
                             static_cast<std::size_t>(problem.grid.size()) * 4);
            std::printf("%-58s %10.2f\n",
                        ("an empty pass over " + std::to_string(side) +
                         "^3 points: lists, kernel, sum to the host")
                            .c_str(),
                        microseconds(5, [&] {
                            evaluator.evaluate({{0, 0, 0}, problem.grid.shape}, one, out.data());
                        }));
        }
        const auto problem = nearly_nothing(172);
        std::printf("%-58s %10.2f\n", "a frame to the device (one group)",
                    microseconds(5, [&] { evaluator.load(problem); }));
        std::fflush(stdout);
    }
    world.barrier();
}

}  // namespace tessera::bench
