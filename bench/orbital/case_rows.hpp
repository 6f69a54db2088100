// The paper's kernels and ours on one molecule.
#pragma once

#include <Kokkos_Core.hpp>
#include <chrono>
#include <string>

#include "bench/orbital/bench_case.hpp"
#include "bench/orbital/bench_output.hpp"
#include "bench/orbital/bench_table.hpp"
#include "bench/orbital/generated_source.hpp"
#include "bench/orbital/paper_device.hpp"
#include "bench/orbital/paper_kernels.hpp"
#include "bench/orbital/runtime_kernel.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::bench {

using kernels::OrbitalEvaluator;

/// The rows of one molecule.
class CaseRows {
  public:
    CaseRows(const BenchCase& molecule, const Options& options, bool cuda,
             OrbitalEvaluator& evaluator)
        : case_(molecule),
          options_(options),
          cuda_(cuda),
          repeats_(options.repeats > 0 ? options.repeats
                   : cuda              ? 20
                                       : 3),
          evaluator_(evaluator) {}

    void run(bool fine) {
        const auto& w = case_.wavefunction;
        std::printf("\n%s: %zu atoms, %d functions, %s\n", case_.name.c_str(), w.nuclei.size(),
                    w.basis_functions(), name_of(case_.grid, "W1").c_str());
        std::printf("%-46s %11s %13s %9s %10s\n", "", "kernel ms", "Mpoint/s", "speed-up", "error");
        const int many = std::min<int>(options_.orbitals > 0 ? options_.orbitals
                                       : cuda_               ? 192
                                                             : 8,
                                       static_cast<int>(w.orbitals.size()));
        paper_rows("W1", case_.grid);
        ours("W1", case_.grid, 1, false);
        ours("W1", case_.grid, 1, true);
        ours("W1", case_.grid, many, false);
        if (!fine) return;
        std::printf("%s\n", name_of(case_.fine_grid, "W2").c_str());
        paper_rows("W2", case_.fine_grid);
        ours("W2", case_.fine_grid, 1, false);
    }

  private:
    static std::string name_of(const UniformGrid& grid, const std::string& name) {
        return name + " = " + std::to_string(grid.shape[0]) + " x " +
               std::to_string(grid.shape[1]) + " x " + std::to_string(grid.shape[2]) + " points";
    }

    /// Measures the evaluator on `count` orbitals. Speed-ups are per orbital, relative to the best
    /// of the paper's kernels.
    void ours(const std::string& grid, const UniformGrid& points, int count, bool in_double) {
        std::vector<int> orbitals(count), rows(count);
        for (int o = 0; o < count; ++o) rows[o] = orbitals[o] = o;
        if (count == 1) orbitals[0] = case_.homo;
        OrbitalProblem problem = fold(case_.wavefunction, orbitals);
        problem.grid = points;
        problem.double_precision = in_double;
        problem.tolerance = options_.tolerance;
        const std::int64_t size = problem.grid.size();
        const Output out(cuda_, size * count * (in_double ? 8 : 4));
        evaluator_.load(problem);
        std::vector<double> times;
        for (int i = 0; i <= repeats_; ++i) {
            const double before = evaluator_.kernel_seconds();
            evaluator_.evaluate({{0, 0, 0}, problem.grid.shape}, rows, out.data());
            if (i > 0) times.push_back(evaluator_.kernel_seconds() - before);
        }
        const double seconds = median(times), all = static_cast<double>(size) * count;
        print_row(grid + ", " + std::to_string(count) +
                      (count == 1 ? " orbital, " : " orbitals, ") +
                      (in_double ? "double" : "single"),
                  seconds, all, best_paper_ * all / seconds,
                  in_double ? error<double>(problem, out, count - 1, count - 1)
                            : error<float>(problem, out, count - 1, count - 1));
    }

    void paper_rows(const std::string& grid, const UniformGrid& points) {
        OrbitalProblem problem = fold(case_.wavefunction, {case_.homo});
        problem.grid = points;
        const PaperArrays arrays(case_.wavefunction, case_.homo);
        const Output out(cuda_, points.size() * 4);
        auto* values = static_cast<float*>(out.data());
        best_paper_ = 0;
        const double size = static_cast<double>(points.size());
        const auto row = [&](const std::string& name, double seconds, bool counts = true) {
            print_row(grid + ", paper: " + name, seconds, size,
                      best_paper_ > 0 ? best_paper_ * size / seconds : 1.0,
                      error<float>(problem, out, 0, 0));
            if (counts)
                best_paper_ =
                    best_paper_ > 0 ? std::min(best_paper_, seconds / size) : seconds / size;
        };
        if (!cuda_) {
            std::vector<double> times;
            for (int i = 0; i < (size > 1e7 ? 1 : 2); ++i) {
                const auto start = std::chrono::steady_clock::now();
                paper_on_host(arrays, points, values);
                times.push_back(
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
                        .count());
            }
            row("host, vectors along x", *std::min_element(times.begin(), times.end()));
        }
#ifdef __CUDACC__
        const int repeats = std::min(repeats_, 5);
        if (cuda_)
            run_paper_kernels(arrays, points, values, repeats,
                              [&](const char* name, double s) { row(name, s); });
#ifdef TESSERA_BENCH_NVRTC
        if (cuda_)
            for (const int along_z : {1, 4}) generated_row(arrays, points, values, along_z, row);
#endif
#endif
    }

#if defined(__CUDACC__) && defined(TESSERA_BENCH_NVRTC)
    template <class Row>
    void generated_row(const PaperArrays& arrays, const UniformGrid& points, float* values,
                       int along_z, const Row& row) {
        const PaperGrid grid = paper_sizes(arrays, points);
        const RuntimeKernel kernel(generated_source(arrays, along_z), "paper_generated");
        kernel.set_constant("positions", arrays.positions);
        kernel.set_constant("wave", arrays.coefficients);
        const dim3 threads(32, 2), blocks((grid.nx + 31) / 32, (grid.ny + 1) / 2,
                                          static_cast<unsigned>((grid.nz + along_z - 1) / along_z));
        const double seconds = device_time(std::min(repeats_, 5), [&] {
            kernel.launch(blocks, threads, grid.origin[0], grid.origin[1], grid.origin[2],
                          grid.step, grid.nx, grid.ny, grid.nz, values);
        });
        row("generated, " + std::to_string(along_z) + " z a thread", seconds);
        std::printf("    (%s in %.0f ms)\n",
                    kernel.from_cache() ? "from the cache" : "compiled by NVRTC",
                    kernel.seconds() * 1e3);
    }
#endif

    const BenchCase& case_;
    const Options& options_;
    bool cuda_;
    int repeats_;
    OrbitalEvaluator& evaluator_;
    double best_paper_ = 0;  ///< seconds per point
};

}  // namespace tessera::bench
