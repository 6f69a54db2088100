#include "bench/orbital/set_up.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <numeric>

#include "kokkos_kernels/orbitals/function_pairs.hpp"
#include "kokkos_kernels/orbitals/rounding.hpp"

namespace tessera::bench {

namespace {

/// Milliseconds of: folding, choosing precisions, groups and rows, pairs of functions.
using Steps = std::array<double, 4>;

Steps set_up(const BenchCase& molecule, const std::vector<int>& orbitals) {
    Steps steps{};
    auto start = std::chrono::steady_clock::now();
    const auto end_step = [&](double& step) {
        const auto now = std::chrono::steady_clock::now();
        step = std::chrono::duration<double, std::milli>(now - start).count();
        start = now;
    };
    const kernels::OrbitalProblem problem = fold(molecule.wavefunction, orbitals);
    end_step(steps[0]);
    kernels::rows_for_double(problem);
    end_step(steps[1]);
    const kernels::PrimitiveTable<float> table(problem);
    end_step(steps[2]);
    const kernels::FunctionPairs pairs(table);  // only used with tensor cores
    end_step(steps[3]);
    return steps;
}

}  // namespace

void time_set_up(const BenchCase& molecule, int orbitals) {
    std::printf("\n%s: set-up, ms\n%-14s %9s %9s %9s %9s %9s\n", molecule.name.c_str(), "orbitals",
                "folding", "judging", "tables", "pairs", "sum");
    const int all = static_cast<int>(molecule.wavefunction.orbitals.size());
    for (const int count : {1, std::min(orbitals, all)}) {
        std::vector<int> chosen(static_cast<std::size_t>(count));
        std::iota(chosen.begin(), chosen.end(), count == 1 ? molecule.homo : 0);
        std::vector<Steps> passes;
        for (int i = 0; i < 21; ++i) passes.push_back(set_up(molecule, chosen));
        Steps median{};
        for (std::size_t step = 0; step < median.size(); ++step) {
            std::ranges::nth_element(passes, passes.begin() + 10, {},
                                     [&](const Steps& steps) { return steps[step]; });
            median[step] = passes[10][step];
        }
        std::printf("%-14d %9.3f %9.3f %9.3f %9.3f %9.3f\n", count, median[0], median[1], median[2],
                    median[3], std::accumulate(median.begin(), median.end(), 0.0));
        std::fflush(stdout);
    }
}

}  // namespace tessera::bench
