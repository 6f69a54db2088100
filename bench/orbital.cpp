// Orbitals of C60, 6-31G*, against the algorithm of Stone et al. (2010) in the same run:
//   bench_orbital [--device auto|cuda|openmp] [--orbitals N] [--repeats R] [--skip-fine] [--tolerance T]
// Kernel times (list building included); errors relative to max |psi| on sample points, against a
// double sum over all groups. W1 is the paper's grid, W2 the same box at a third of the spacing.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

#include "bench/c60_case.hpp"
#include "bench/paper_orbital_kernels.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::bench {
namespace {

using namespace kernels;

struct Options {
    std::string device = "auto";
    int orbitals = 0, repeats = 0;
    bool fine = true;
    double tolerance = 5e-7;  ///< bohr^-3/2: total errors stay below 1e-6 of max |psi|
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string("0"); };
        if (name == "--device") options.device = value();
        if (name == "--orbitals") options.orbitals = std::stoi(value());
        if (name == "--repeats") options.repeats = std::stoi(value());
        if (name == "--tolerance") options.tolerance = std::stod(value());
        if (name == "--skip-fine") options.fine = false;
    }
    return options;
}

/// psi of the folded problem at a point, all groups, in double.
double reference(const OrbitalProblem& problem, int orbital, Vec3 point) {
    double sum = 0;
    for (const PrimitiveGroup& group : problem.groups) {
        const Vec3 d = point - group.center;
        double polynomial = 0;
        int m = group.first;
        for (int degree = 0; degree <= group.l; ++degree)
            for (int i = degree; i >= 0; --i)
                for (int j = degree - i; j >= 0; --j)
                    polynomial += problem.coefficients[orbital][m++] * std::pow(d.x, i) *
                                  std::pow(d.y, j) * std::pow(d.z, degree - i - j);
        sum += polynomial * std::exp(-group.exponent * dot(d, d));
    }
    return sum;
}

/// Memory where the kernels write: the device's own, or the host's.
class Output {
  public:
    Output(bool on_device, std::size_t bytes) : bytes_(bytes) {
#ifdef KOKKOS_ENABLE_CUDA
        if (on_device) {
            device_ = Kokkos::View<char*, Kokkos::CudaSpace>(
                Kokkos::view_alloc(Kokkos::WithoutInitializing, "out"), bytes);
            return;
        }
#endif
        (void)on_device;
        host_ = Kokkos::View<char*, Kokkos::HostSpace>("out", bytes);
    }
    void* data() const {
#ifdef KOKKOS_ENABLE_CUDA
        if (device_.data() != nullptr) return device_.data();
#endif
        return host_.data();
    }
    /// `count` values from `first` on.
    template <class Real>
    std::vector<Real> read(std::int64_t first, std::int64_t count) const {
        std::vector<Real> values(count);
        using Range = std::pair<std::size_t, std::size_t>;
        const Range range(first * sizeof(Real), (first + count) * sizeof(Real));
        Kokkos::View<char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> to(
            reinterpret_cast<char*>(values.data()), count * sizeof(Real));
#ifdef KOKKOS_ENABLE_CUDA
        if (device_.data() != nullptr) {
            Kokkos::deep_copy(to, Kokkos::subview(device_, range));
            return values;
        }
#endif
        Kokkos::deep_copy(to, Kokkos::subview(host_, range));
        return values;
    }

  private:
    std::size_t bytes_;
#ifdef KOKKOS_ENABLE_CUDA
    Kokkos::View<char*, Kokkos::CudaSpace> device_;
#endif
    Kokkos::View<char*, Kokkos::HostSpace> host_;
};

/// Largest error on sample points over max |psi| of them; the last grid of the output.
template <class Real>
double error(const OrbitalProblem& problem, const Output& out, int orbital, int slot) {
    constexpr int samples = 2000;
    const std::int64_t size = problem.grid.size();
    const std::vector<Real> values = out.read<Real>(slot * size, size);
    const auto& n = problem.grid.shape;
    double worst = 0, largest = 0;
    for (int s = 0; s < samples; ++s) {
        const auto at = static_cast<std::int64_t>((uniform(s) + 1) / 2 * static_cast<double>(size));
        const double want = reference(
            problem, orbital, problem.grid.point(at % n[0], at / n[0] % n[1], at / (n[0] * n[1])));
        worst = std::max(worst, std::abs(want - static_cast<double>(values[at])));
        largest = std::max(largest, std::abs(want));
    }
    return worst / largest;
}

double median(std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

class Bench {
  public:
    Bench(const Options& options, const DeviceInfo& device)
        : device_(device),
          cuda_(device.backend == Backend::cuda),
          options_(options),
          repeats_(options.repeats > 0 ? options.repeats
                   : cuda_             ? 20
                                       : 3),
          many_(options.orbitals > 0 ? options.orbitals
                : cuda_              ? 192
                                     : 8),
          molecule_(many_),
          evaluator_(make_orbital_evaluator(device.backend)) {}

    void run() {
        std::printf("C60, 6-31G*: %zu atoms, %d functions; %s (%s, %d host threads)\n",
                    molecule_.atoms.size(),
                    molecule_.functions_per_atom() * static_cast<int>(molecule_.atoms.size()),
                    device_.name.c_str(), name_of(device_.backend).c_str(), device_.threads);
        std::printf("%-44s %11s %13s %9s %10s\n", "", "kernel ms", "Mpoint/s", "speed-up", "error");
        paper_rows(false);
        ours("W1, 1 orbital, single", false, 1, false);
        ours("W1, 1 orbital, double", false, 1, true);
        ours("W1, " + std::to_string(many_) + " orbitals, single", false, many_, false);
        if (!options_.fine) return;
        paper_rows(true);
        ours("W2, 1 orbital, single", true, 1, false);
    }

  private:
    void row(const std::string& name, double seconds, double points, double error) {
        const double speed = best_paper_ > 0 ? best_paper_ * points / seconds : 1.0;
        std::printf("%-44s %11.4f %13.1f %9.1f %10.1e\n", name.c_str(), seconds * 1e3,
                    points / seconds * 1e-6, speed, error);
        std::fflush(stdout);
    }

    /// The evaluator on `count` orbitals; speed-ups are per orbital, against the best of the paper's.
    void ours(const std::string& name, bool fine, int count, bool in_double) {
        OrbitalProblem problem = first_orbitals(count).fold();
        problem.grid = paper_grid(fine);
        problem.double_precision = in_double;
        problem.tolerance = options_.tolerance;
        const std::int64_t size = problem.grid.size();
        const Output out(cuda_, size * count * (in_double ? 8 : 4));
        std::vector<int> rows(count);
        for (int o = 0; o < count; ++o) rows[o] = o;
        evaluator_->load(problem);
        std::vector<double> times;
        for (int i = 0; i <= repeats_; ++i) {
            const double before = evaluator_->kernel_seconds();
            evaluator_->evaluate({{0, 0, 0}, problem.grid.shape}, rows, out.data());
            if (i > 0) times.push_back(evaluator_->kernel_seconds() - before);
        }
        row(name, median(times), static_cast<double>(size) * count,
            in_double ? error<double>(problem, out, count - 1, count - 1)
                      : error<float>(problem, out, count - 1, count - 1));
    }

    Molecule first_orbitals(int count) const {
        Molecule molecule = molecule_;
        molecule.orbitals.resize(count);
        return molecule;
    }

    void paper_row(const std::string& name, const OrbitalProblem& problem, const Output& out,
                   double seconds) {
        const double points = static_cast<double>(problem.grid.size());
        const double previous = best_paper_;
        best_paper_ = 0;
        row(name, seconds, points, error<float>(problem, out, 0, 0));
        best_paper_ = previous > 0 ? std::min(previous, seconds / points) : seconds / points;
    }

    void paper_rows(bool fine) {
        OrbitalProblem problem = first_orbitals(1).fold();
        problem.grid = paper_grid(fine);
        const PaperArrays arrays(molecule_, 0);
        const Output out(cuda_, problem.grid.size() * 4);
        const std::string grid = fine ? "W2, paper: " : "W1, paper: ";
        best_paper_ = 0;
        if (!cuda_) {
            std::vector<double> times;
            for (int i = 0; i < (fine ? 1 : 2); ++i) {
                const auto start = std::chrono::steady_clock::now();
                paper_on_host(arrays, problem.grid, static_cast<float*>(out.data()));
                times.push_back(
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
                        .count());
            }
            paper_row(grid + "host, vectors along x", problem, out,
                      *std::min_element(times.begin(), times.end()));
        }
#ifdef __CUDACC__
        if (cuda_) paper_on_device(grid, problem, arrays, out);
#endif
    }

#ifdef __CUDACC__
    double device_time(const std::function<void()>& launch) const {
        cudaEvent_t start, stop;
        cudaEventCreate(&start);
        cudaEventCreate(&stop);
        std::vector<double> times;
        for (int i = 0; i <= std::min(repeats_, 5); ++i) {
            cudaEventRecord(start);
            launch();
            cudaEventRecord(stop);
            check_launch(cudaEventSynchronize(stop), "paper kernel");
            float milliseconds = 0;
            cudaEventElapsedTime(&milliseconds, start, stop);
            if (i > 0) times.push_back(milliseconds * 1e-3);
        }
        cudaEventDestroy(start);
        cudaEventDestroy(stop);
        return median(times);
    }

    template <class T>
    static Kokkos::View<T*, Kokkos::CudaSpace> upload(const std::vector<T>& host) {
        Kokkos::View<T*, Kokkos::CudaSpace> device("paper", host.size());
        Kokkos::deep_copy(
            device,
            Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                host.data(), host.size()));
        return device;
    }

    void paper_on_device(const std::string& grid_name, const OrbitalProblem& problem,
                         const PaperArrays& arrays, const Output& out) {
        const PaperGrid grid = paper_sizes(arrays, problem.grid);
        const auto positions = upload(arrays.positions), basis = upload(arrays.basis),
                   coefficients = upload(arrays.coefficients);
        const auto shells = upload(arrays.shells);
        cudaMemcpyToSymbol(constant_positions, arrays.positions.data(),
                           arrays.positions.size() * sizeof(float));
        cudaMemcpyToSymbol(constant_basis, arrays.basis.data(),
                           arrays.basis.size() * sizeof(float));
        cudaMemcpyToSymbol(constant_coefficients, arrays.coefficients.data(),
                           arrays.coefficients.size() * sizeof(float));
        cudaMemcpyToSymbol(constant_shells, arrays.shells.data(),
                           arrays.shells.size() * sizeof(int));
        auto* values = static_cast<float*>(out.data());
        const dim3 threads(32, 2),
            blocks((grid.nx + 31) / 32, (grid.ny + 1) / 2, static_cast<unsigned>(grid.nz));
        double time = device_time([&] { paper_constant<<<blocks, threads>>>(grid, values); });
        paper_row(grid_name + "constant memory", problem, out, time);
        time = device_time([&] {
            paper_tiled_shared<<<blocks, threads>>>(grid, positions.data(), shells.data(),
                                                    basis.data(), coefficients.data(),
                                                    static_cast<int>(arrays.coefficients.size()),
                                                    static_cast<int>(arrays.basis.size()), values);
        });
        paper_row(grid_name + "tiled, shared memory", problem, out, time);
        time = device_time([&] {
            paper_cache<<<blocks, threads>>>(grid, positions.data(), shells.data(), basis.data(),
                                             coefficients.data(), values);
        });
        paper_row(grid_name + "cache", problem, out, time);
    }
#endif

    const DeviceInfo& device_;
    bool cuda_;
    Options options_;
    int repeats_, many_;
    Molecule molecule_;
    std::unique_ptr<OrbitalEvaluator> evaluator_;
    double best_paper_ = 0;  ///< seconds a point
};

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    const auto options = tessera::bench::parse(argc, argv);
    const tessera::kernels::DeviceRuntime runtime({options.device, 0, 1, 0});
    tessera::bench::Bench(options, runtime.info()).run();
    return 0;
}
