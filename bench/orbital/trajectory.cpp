#include "bench/orbital/trajectory.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "bench/c60_case.hpp"
#include "orbitals/basis/folded_basis.hpp"

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds of a pass over all frames.
struct PassTimes {
    double whole = 0, folding = 0, loading = 0, surface = 0, kernel = 0;
    std::size_t triangles = 0;
};

PassTimes pass_over(const std::vector<io::Wavefunction>& frames, int homo, const UniformGrid& grid,
                    const Options& options, kernels::OrbitalEvaluator& evaluator) {
    PassTimes times;
    std::optional<orbitals::FoldedBasis> basis;
    const double kernel = evaluator.kernel_seconds();
    const auto start = Clock::now();
    for (const io::Wavefunction& frame : frames) {
        auto step = Clock::now();
        if (!basis || !basis->is_of(frame)) basis.emplace(frame);  // as a run's rank does
        kernels::OrbitalProblem problem;
        basis->fold(frame, {homo}, problem);
        problem.grid = grid;
        problem.tolerance = options.tolerance;
        times.folding += seconds_since(step);
        step = Clock::now();
        evaluator.load(problem);
        times.loading += seconds_since(step);
        step = Clock::now();
        const auto view = evaluator.isosurface({{0, 0, 0}, grid.shape}, 0, options.isovalue);
        times.surface += seconds_since(step);
        times.triangles += view.triangles.size();
    }
    times.whole = seconds_since(start);
    times.kernel = evaluator.kernel_seconds() - kernel;
    return times;
}

}  // namespace

void time_trajectory(const BenchCase& molecule, const Options& options,
                     kernels::OrbitalEvaluator& evaluator) {
    const auto frames =
        perturbed_frames(molecule.wavefunction, options.frames, options.amplitude / bohr);
    std::printf("\n%s: HOMO isosurface %g of %d frames displaced by %g A; ms a frame\n",
                molecule.name.c_str(), options.isovalue, options.frames, options.amplitude);
    std::printf("%-28s %9s %9s %8s %8s %8s %8s %10s\n", "grid", "frames/s", "frame", "folding",
                "loading", "surface", "kernels", "triangles");
    for (const double spacing : {0.15, 0.075}) {
        const UniformGrid grid = grid_around(frames, spacing);
        const auto pass = [&] {
            return pass_over(frames, molecule.homo, grid, options, evaluator);
        };
        const PassTimes first = pass();
        std::vector<PassTimes> passes;
        for (int i = 0; i < 5; ++i) passes.push_back(pass());
        std::ranges::nth_element(passes, passes.begin() + 2, {}, &PassTimes::whole);
        const PassTimes& t = passes[2];
        const double count = static_cast<double>(frames.size());
        char name[64];
        std::snprintf(name, sizeof name, "%g A, %d x %d x %d", spacing,
                      static_cast<int>(grid.shape[0]), static_cast<int>(grid.shape[1]),
                      static_cast<int>(grid.shape[2]));
        const auto ms = [&](double seconds) { return seconds * 1e3 / count; };
        std::printf("%-28s %9.1f %9.3f %8.3f %8.3f %8.3f %8.3f %10.0f\n", name, count / t.whole,
                    ms(t.whole), ms(t.folding), ms(t.loading), ms(t.surface), ms(t.kernel),
                    static_cast<double>(t.triangles) / count);
        std::printf("%-28s %9.1f %9.3f\n", "  first pass, memory growing", count / first.whole,
                    ms(first.whole));
        std::fflush(stdout);
    }
}

}  // namespace tessera::bench
