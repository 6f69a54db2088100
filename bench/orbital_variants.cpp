// This program compares cuts of the orbital kernels on a CUDA device: C60, 6-31G*, grid W1 of
// bench_orbital.
//   bench_orbital_variants [--repeats R] [--orbitals N] [--tolerance T]
// It prints median kernel times (list building included) of one orbital and of N. Errors are
// relative to max |psi|, against the double kernel over the whole grid, for the last and the worst
// of the compared orbitals.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <string>

#include "bench/c60_case.hpp"
#include "bench/command_line.hpp"
#include "kokkos_kernels/orbitals/grid_evaluator.hpp"

namespace tessera::bench {
namespace {

using namespace kernels;

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)

struct Options {
    int repeats = 20, orbitals = 192;
    double tolerance = 5e-7;
};

Options parse(CommandLine line) {
    Options options;
    line.take("--repeats", options.repeats);
    line.take("--orbitals", options.orbitals);
    line.take("--tolerance", options.tolerance);
    line.rest();
    return options;
}

/// DeviceCuts with another cut for one orbital.
template <class Cut>
struct One : DeviceCuts<float> {
    using Large = Cut;
};
/// DeviceCuts with another cut for products on large tiles.
template <class Cut>
struct Many : DeviceCuts<float> {
    template <class Shape>
    using Products = std::conditional_t<Shape::x == LargeTile::x, Cut, ManyProductsCut>;
};
/// DeviceCuts with rows and columns for many orbitals, too.
struct NoProducts : DeviceCuts<float> {
    static constexpr int products_from = 1 << 20;
};

template <class Real>
using DeviceValues = Kokkos::View<Real*, Kokkos::CudaSpace>;

struct LargestDifference {
    const float* values;
    const double* exact;
    KOKKOS_FUNCTION void operator()(std::int64_t i, double& difference, double& largest) const {
        const double d = Kokkos::abs(static_cast<double>(values[i]) - exact[i]);
        // A value that is not a number also counts as a difference.
        if (!(d <= difference)) difference = d <= 1e300 ? d : 1e300;
        largest = Kokkos::max(largest, Kokkos::abs(exact[i]));
    }
};

class Variants {
  public:
    explicit Variants(const Options& options)
        : options_(options), problem_(Molecule(options.orbitals).fold()) {
        problem_.grid = paper_grid(false);
        problem_.tolerance = options.tolerance;
        size_ = problem_.grid.size();
        values_ = DeviceValues<float>("values", size_ * options.orbitals);
        exact_ = DeviceValues<double>("exact", size_);
        OrbitalProblem precise = problem_;
        precise.double_precision = true;
        precise.tolerance = 0;
        exact_evaluator_.load(precise);
    }

    template <class Cuts>
    void time(const char* name, int orbitals) {
        GridEvaluator<float, CudaDevice, Cuts> evaluator;
        OrbitalProblem problem = problem_;
        problem.coefficients.resize(orbitals);
        evaluator.load(problem);
        std::vector<int> rows(orbitals);
        for (int o = 0; o < orbitals; ++o) rows[o] = o;
        const PointBlock block{{0, 0, 0}, problem.grid.shape};
        Kokkos::deep_copy(values_, std::numeric_limits<float>::quiet_NaN());
        std::vector<double> times;
        std::vector<CompensatedSum<double>> sums;
        for (int i = 0; i <= options_.repeats; ++i) {
            const double before = evaluator.kernel_seconds();
            sums = evaluator.evaluate(block, rows, values_.data());
            if (i > 0) times.push_back(evaluator.kernel_seconds() - before);
        }
        std::sort(times.begin(), times.end());
        std::printf("%-44s %4d %9.4f %9.4f", name, orbitals, times[times.size() / 2] * 1e3,
                    times.front() * 1e3);
        times.clear();
        for (int i = 0; i <= options_.repeats; ++i) {
            const double before = evaluator.kernel_seconds();
            evaluator.evaluate(block, rows, nullptr);
            if (i > 0) times.push_back(evaluator.kernel_seconds() - before);
        }
        std::sort(times.begin(), times.end());
        std::printf(" %9.4f", times[times.size() / 2] * 1e3);
        double worst = 0, sum_error = 0;
        for (int o : {0, orbitals / 3, orbitals - 1}) {
            const auto [error, sum] = compare(o);
            worst = std::max(worst, error);
            sum_error = std::max(sum_error, std::abs(sums[o].result() / sum - 1));
        }
        std::printf(" %9.1e %9.1e\n", worst, sum_error);
        std::fflush(stdout);
    }

    static void heading() {
        std::printf("%-44s %4s %9s %9s %9s %9s %9s\n", "", "", "median ms", "least ms", "no output",
                    "error", "norm");
    }

  private:
    /// Largest error over max |psi|, and the exact sum of squares.
    std::pair<double, double> compare(int orbital) {
        const auto sum = exact_evaluator_.evaluate({{0, 0, 0}, problem_.grid.shape},
                                                   std::span(&orbital, 1), exact_.data());
        double difference = 0, largest = 0;
        Kokkos::parallel_reduce(
            "compare", Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>>(0, size_),
            LargestDifference{values_.data() + orbital * size_, exact_.data()},
            Kokkos::Max<double>(difference), Kokkos::Max<double>(largest));
        return {difference / largest, sum[0].result()};
    }

    Options options_;
    OrbitalProblem problem_;
    std::int64_t size_ = 0;
    DeviceValues<float> values_;
    DeviceValues<double> exact_;
    GridEvaluator<double, CudaDevice> exact_evaluator_;
};

/// W1 has large tiles.
template <int Blocks, int Page, int Chunk, bool Hold>
using OneCut = TileCut<float, LargeTile, 128, Blocks, Page, Chunk, 8, 8, 4, 1, 512, Hold>;

void run(const Options& options) {
    Variants variants(options);
    Variants::heading();
    const int n = options.orbitals;
    variants.time<One<OneCut<5, 32, 32, false>>>("one: 5 blocks, page 32", 1);
    variants.time<One<OneCut<4, 64, 32, false>>>("one: 4 blocks, page 64", 1);
    variants.time<One<OneCut<4, 64, 64, true>>>("one: the same, chunk 64, held", 1);
    variants.time<NoProducts>("rows and columns", n);
    variants.time<Many<PartCut<96, 2, 4, true, 1, 64, PointTile<32, 4, 2, 1>>>>(
        "products 96, 32x4x2, page 64", n);
    variants.time<Many<PartCut<96, 2, 4, true, 1, 64, PointTile<16, 4, 4, 1>>>>(
        "products 96, 16x4x4, page 64", n);
    variants.time<Many<PartCut<96, 2, 4, true, 1, 64, PointTile<16, 8, 2, 1>>>>(
        "products 96, 16x8x2, page 64", n);
    variants.time<Many<ManyProductsCut>>("products 96, 16x8x2, page 72", n);
    variants.time<Many<PartCut<96, 2, 4, true, 1, 80, PointTile<16, 8, 2, 1>>>>(
        "products 96, 16x8x2, page 80", n);
    variants.time<Many<PartCut<192, 4, 2, true, 1, 96, PointTile<16, 4, 2, 1>>>>(
        "products 192, 16x4x2, page 96", n);
}

#endif

}  // namespace
}  // namespace tessera::bench

int main([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
    const tessera::kernels::DeviceRuntime runtime({"cuda"});
    tessera::bench::run(tessera::bench::parse({argc, argv}));
#else
    std::puts("bench_orbital_variants compares cuts for CUDA devices; this build has none");
#endif
    return 0;
}
