// How fast grids are packed within an error, by the number of threads: orbitals of C60 in 6-31G* on
// grid W1 of bench_orbital, in chunks like those of a run.
//   bench_packing [--threads N] [--orbitals N] [--error E] [--repeats R]
// Prints GB/s of values in single precision for 1, 2, 4, … N threads (default: all), the best of R
// repeats, and how many times smaller the orbitals become. Exits with 1 if bytes depend on the
// number of threads.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "bench/c60_case.hpp"
#include "bench/command_line.hpp"
#include "io/hdf5/grid_pack.hpp"
#include "io/hdf5/zfp_filter.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::bench {
namespace {

struct Options {
    int threads = 0, orbitals = 4, repeats = 3;
    double error = 1e-5;
};

Options parse(CommandLine line) {
    Options options;
    line.take("--threads", options.threads);
    line.take("--orbitals", options.orbitals);
    line.take("--error", options.error);
    line.take("--repeats", options.repeats);
    line.rest();
    return options;
}

/// Values [orbital, z, y, x].
std::vector<float> c60_orbitals(int count) {
    kernels::OrbitalProblem problem = Molecule(count).fold();
    problem.grid = paper_grid(false);
    problem.tolerance = 1e-6;
    std::vector<float> values(static_cast<std::size_t>(count * problem.grid.size()));
    std::vector<int> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    const auto evaluator = kernels::make_orbital_evaluator(kernels::Backend::openmp);
    evaluator->load(problem);
    evaluator->evaluate({{0, 0, 0}, problem.grid.shape}, rows,
                        reinterpret_cast<std::byte*>(values.data()), rows.size());
    return values;
}

struct Way {
    std::string name;
    io::GridSpec spec;
    std::vector<std::byte> first;  ///< what one thread made
};

std::vector<Way> ways(const Options& options) {
    io::GridSpec spec{"/orbitals/values", {options.orbitals}, paper_grid(false).shape};
    spec.chunk_planes = 4;
    spec.largest_error = options.error;
    std::vector<Way> all;
    for (const int level : {6, 1}) {
        spec.deflate = level;
        all.push_back({"rounded, gzip " + std::to_string(level), spec, {}});
    }
    if (io::has_zfp()) {
        spec.zfp = true;
        all.push_back({"zfp", spec, {}});
    }
    return all;
}

/// GB/s of the best repeat, or -1 if the bytes are not those of one thread.
double rate(Way& way, const std::vector<float>& values, int threads, const Options& options) {
    using Clock = std::chrono::steady_clock;
    const auto bytes = std::as_bytes(std::span(values));
    double best = 1e300;
    std::vector<std::byte> packed;
    for (int i = 0; i < options.repeats; ++i) {
        packed.clear();
        const auto start = Clock::now();
        io::pack_blocks({way.spec}, {{0, 0, options.orbitals, 0, way.spec.shape[2]}}, bytes.data(),
                        threads, packed);
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    if (threads == 1) way.first = packed;
    return packed == way.first ? 1e-9 * static_cast<double>(bytes.size()) / best : -1;
}

int run(const Options& options) {
    const kernels::DeviceRuntime runtime({"openmp"});
    const int most = options.threads > 0 ? options.threads : runtime.info().threads;
    const std::vector<float> values = c60_orbitals(options.orbitals);
    std::vector<Way> all = ways(options);
    std::printf("%d orbitals of C60, %.0f MB, within %g\n%8s", options.orbitals,
                4e-6 * static_cast<double>(values.size()), options.error, "threads");
    for (const Way& way : all) std::printf(" %16s", way.name.c_str());
    int failures = 0;
    for (int threads = 1;; threads = std::min(2 * threads, most)) {
        std::printf("\n%8d", threads);
        for (Way& way : all) {
            const double found = rate(way, values, threads, options);
            failures += found < 0;
            std::printf(" %11.3f GB/s", found);
            std::fflush(stdout);
        }
        if (threads == most) break;
    }
    std::printf("\n%8s", "smaller");
    for (const Way& way : all)
        std::printf(" %15.2fx",
                    4 * static_cast<double>(values.size()) / static_cast<double>(way.first.size()));
    std::printf("\n");
    if (failures > 0) std::fprintf(stderr, "bench_packing: bytes depend on the threads (a bug)\n");
    return failures > 0 ? 1 : 0;
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    try {
        return tessera::bench::run(tessera::bench::parse({argc, argv}));
    } catch (const tessera::Error& error) {
        std::fprintf(stderr, "bench_packing: %s\n", error.what());
        return static_cast<int>(error.code());
    }
}
