// This program measures the time per rotation of the docking search and of its stages, over grid
// sizes and coefficient sets.
//
//   bench_docking [--device auto|cuda|openmp] [--sizes 80,108,128] [--sets 1,4,8] [--tiles 4]
//                 [--stages]
//
// The problem is synthetic (random receptor grids, a ball of random ligand atoms), because time
// does not depend on the values. "total" is the wall time of CorrelationSearch::run per rotation,
// with everything included (rotate, voxelize, forward, accumulate, inverse, filter, poses to the
// host). Stages are timed in a second pass that fences each stage, so their sum is slightly larger
// than the total. "2 transforms" is one forward and one inverse real transform of that size by the
// vendor's library, batched, on the same device and threads, in the same run.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <sstream>

#include "bench/command_line.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"
#include "kokkos_kernels/fft/fft_plan.hpp"

namespace {

using namespace tessera;
using namespace tessera::kernels;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seven channels (P = 4), 24 orbit members, and a ligand of `atoms` atoms that fill a ball of a
/// fifth of the grid.
CorrelationProblem make_problem(int n, int sets, int atoms) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    CorrelationProblem problem;
    problem.n = n;
    problem.spacing = 1;
    while (static_cast<int>(problem.ligand.size()) < atoms) {
        const Vec3 p{uniform(random), uniform(random), uniform(random)};
        if (norm(p) <= 1) problem.ligand.push_back(0.2 * n * p);
    }
    const auto draw = [&](std::size_t count) {
        std::vector<float> values(count);
        for (float& value : values) value = static_cast<float>(uniform(random));
        return values;
    };
    for (int c = 0; c < 7; ++c)
        problem.channels.push_back(
            {draw(static_cast<std::size_t>(n) * n * n), draw(atoms), std::min(c, 3)});
    for (const SignedPermutation& g : octahedral_group()) problem.group.push_back(g);
    for (int s = 0; s < sets; ++s) problem.sets.push_back({0.4, -0.4 + 0.04 * s, 600, 1.0 + s});
    return problem;
}

std::vector<Quaternion> random_bases(int count) {
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    std::vector<Quaternion> bases;
    for (int i = 0; i < count; ++i) {
        const Quaternion q{normal(random), normal(random), normal(random), normal(random)};
        const double l = q.length();
        bases.push_back({q.w / l, q.x / l, q.y / l, q.z / l});
    }
    return bases;
}

/// Microseconds of one forward plus one inverse transform.
template <class Device>
double two_transforms(int n, int repeats) {
    const typename Device::execution_space space;
    const FftShape shape{n};
    constexpr int batch = bases_per_batch;
    const FftPlan3d<Device> plan(space, shape, batch);
    const RealGrids<Device> grids("grids", batch, shape.points());
    const Spectra<Device> spectra("spectra", batch, shape.spectrum_stride());
    Kokkos::deep_copy(grids, 1.0F);
    double best = 1e300;
    for (int i = 0; i <= repeats; ++i) {
        space.fence();
        const auto start = Clock::now();
        plan.forward(grids.data(), spectra.data(), batch);
        plan.inverse(spectra.data(), batch);
        space.fence();
        if (i > 0) best = std::min(best, seconds_since(start) / batch * 1e6);
    }
    return best;
}

double two_transforms(Backend backend, int n) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return two_transforms<CudaDevice>(n, 20);
#endif
    (void)backend;
    return two_transforms<OpenMPDevice>(n, 3);
}

std::vector<int> integers(const std::string& list) {
    std::vector<int> values;
    std::istringstream in(list);
    for (std::string item; std::getline(in, item, ',');) values.push_back(std::stoi(item));
    return values;
}

struct Options {
    std::string device = "auto", sizes = "80,108,128", sets = "1,4,8";
    int tiles = 4, atoms = 1000;
    bool stages = false;
};

Options parse(bench::CommandLine line) {
    Options options;
    line.take("--device", options.device);
    line.take("--sizes", options.sizes);
    line.take("--sets", options.sets);
    line.take("--tiles", options.tiles);
    line.take("--atoms", options.atoms);
    options.stages = line.take("--stages");
    line.rest();
    return options;
}

void report(const Options& options, const DeviceInfo& device, int n, int sets) {
    const CorrelationProblem problem = make_problem(n, sets, options.atoms);
    const auto search = make_correlation_search(
        device.backend, problem, device.available_bytes - device.available_bytes / 10);
    const auto bases = random_bases(bases_per_batch * options.tiles);
    const double rotations = 24.0 * static_cast<double>(bases.size());
    search->run(std::span(bases).first(bases_per_batch), 0);
    const auto start = Clock::now();
    search->run(bases, 0);
    const double total = seconds_since(start) / rotations * 1e6;
    const double transforms = two_transforms(device.backend, n);
    std::printf("%4d %5d %10.2f %12.2f %8.2f %9.2f", n, sets, total, transforms,
                total / (transforms * sets), search->memory().total() / 0x1p30);
    if (options.stages) {
        search->measure_stages(true);
        search->run(bases, 0);
        const StageTimes& t = search->stage_times();
        for (double seconds : {t.voxelize, t.forward, t.accumulate, t.inverse, t.filter})
            std::printf(" %10.2f", seconds / rotations * 1e6);
    }
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = parse({argc, argv});
    const DeviceRuntime runtime({options.device});
    const DeviceInfo& device = runtime.info();
    std::printf("docking on %s (%s, %d host threads); us per rotation, P = 4, %d ligand atoms\n",
                device.name.c_str(), name_of(device.backend).c_str(), device.threads,
                options.atoms);
    std::printf("   n  sets      total 2 transforms    ratio       GiB%s\n",
                options.stages ? "   voxelize    forward accumulate    inverse     filter" : "");
    for (int n : integers(options.sizes))
        for (int sets : integers(options.sets)) report(options, device, n, sets);
    if (options.stages)
        std::puts("\nLandaverde & Herbordt 2014, Table 3 (one set, us per rotation): K20c charge "
                  "assignment "
                  "1200,\ncorrelations 32000, accumulation + scoring + filter 1000, other 800, "
                  "total 35000; "
                  "8 CPU cores 116400");
    return 0;
}
