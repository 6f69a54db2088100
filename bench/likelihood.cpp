// This program compares the likelihood's exact mode, step by step, with the published formulas in
// the same run:
//   bench_likelihood [--device auto|cuda|openmp|serial] [--case south|north|small] [--columns N]
//                    [--repeats R] [--skip-evaluation] [--sums] [PARAMETERS STARS]
// With one thread, times are CPU times. A point is a node of a column with all its components. On
// CPUs, `--columns` (default 1024, spread over the wedge) keeps the run short. Each row adds one
// step. The FP32 rows are for the study of precision. `--sums` adds the integrals to each row, for
// comparisons of devices (bench/paper_table).
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/likelihood_case.hpp"
#include "bench/plain_likelihood.hpp"
#include "bench/stopwatch.hpp"
#include "kokkos_kernels/likelihood/exact/column_integrator.hpp"
#include "likelihood/exact/kernel_tables.hpp"

namespace tessera::bench {
namespace {

using namespace kernels;

struct LibraryStep {
    using Functions = LibraryFunctions;
    static constexpr bool skip = false, shared_exponential = false, tracks = false;
    static constexpr bool disks = false;
};
struct OwnFunctionsStep : LibraryStep {
    using Functions = OwnFunctions;
};
struct SharedExponentialStep : OwnFunctionsStep {
    static constexpr bool shared_exponential = true;
};

struct Options {
    std::string device = "auto", wedge = "south";
    int columns = 0, repeats = 0;
    bool evaluation = true, sums = false;
    std::vector<std::string> files;  ///< files of a wedge, instead of a case
};

Options parse(CommandLine line) {
    Options options;
    line.take("--device", options.device);
    line.take("--case", options.wedge);
    line.take("--columns", options.columns);
    line.take("--repeats", options.repeats);
    options.evaluation = !line.take("--skip-evaluation");
    options.sums = line.take("--sums");
    options.files = line.rest();
    if (!options.files.empty()) options.wedge = options.files.front();
    return options;
}

class Bench {
  public:
    Bench(const Options& options, const DeviceInfo& device)
        : device_(device),
          options_(options),
          wedge_(likelihood_case(options.wedge, options.files)),
          line_(wedge_.model, likelihood::milkyway_rule(wedge_.model.convolve)),
          tables_(likelihood::wedge_tables(wedge_.model, line_)),
          density_(likelihood::density_model(wedge_.model)) {
        const auto all = tables_.areas[0].columns();
        const std::int64_t wanted = options.columns > 0               ? options.columns
                                    : device.backend == Backend::cuda ? all
                                                                      : 1024;
        // All columns, or groups of 256 spread evenly over the wedge.
        const std::int64_t groups = std::max<std::int64_t>(1, wanted / 256);
        if (groups * 256 >= all) {
            whole_ = all;
        } else {
            for (std::int64_t g = 0; g < groups; ++g)
                starts_.push_back(all / 256 * g / groups * 256);
        }
        points_ = static_cast<double>(tables_.areas[0].radius.size()) *
                  static_cast<double>(whole_ > 0 ? whole_ : 256 * groups);
    }

    void run() {
        std::printf(
            "device %s; case %s: %zu nodes a column, %lld columns, %zu streams; %.3g points "
            "here\n",
            device_.name.c_str(), options_.wedge.c_str(), tables_.areas[0].radius.size(),
            static_cast<long long>(tables_.areas[0].columns()), density_.streams.size(), points_);
        std::printf("%-52s %10s %12s %9s %10s\n", "", "seconds", "ns a point", "speed-up", "error");
        using Double = Arithmetic<double, true>;
        reference_ = sums_of(*make_column_integrator<Double, LibraryStep>(device_.backend));
        plain_rows();
        row<Double, LibraryStep>("+ quadratics in r, hoisted a column");
        row<Double, OwnFunctionsStep>("+ own exponential, root and reciprocal");
        row<Double, SharedExponentialStep>("+ one full exponential a chunk of sorted nodes");
        row<Double, AllSteps>("+ segments skipped by bounds (the exact mode)");
        row<Arithmetic<float, true>, AllSteps>("FP32, compensated sums");
        row<Arithmetic<float, false>, AllSteps>("FP32, plain sums");
        if (options_.evaluation) evaluation();
    }

  private:
    using Sums = std::vector<double>;

    Sums sums_of(WedgeIntegrator& integrator) {
        integrator.load(tables_);
        integrator.set_model(density_);
        return integrate(integrator);
    }

    Sums integrate(WedgeIntegrator& integrator) const {
        std::vector<CompensatedSum<double>> sums(density_.components());
        const auto add = [&](std::int64_t first, std::int64_t count) {
            const auto part = integrator.integrate(0, first, count);
            for (std::size_t k = 0; k < sums.size(); ++k) sums[k].add(part[k]);
        };
        if (whole_ > 0) add(0, whole_);
        for (const std::int64_t first : starts_) add(first, 256);
        Sums result;
        for (const auto& sum : sums) result.push_back(sum.result());
        return result;
    }

    double error(const Sums& sums) const {
        double worst = 0;
        for (std::size_t k = 0; k < sums.size(); ++k)
            worst = std::max(worst, std::abs(sums[k] / reference_[k] - 1));
        return worst;
    }

    void print(const std::string& name, double seconds, const Sums& sums) {
        if (plain_ == 0) plain_ = seconds;
        std::printf("%-52s %10.4f %12.4f %9.2f %10.1e", name.c_str(), seconds,
                    seconds / points_ * 1e9, plain_ / seconds, error(sums));
        if (options_.sums)
            for (const double sum : sums) std::printf(" %.17g", sum);
        std::printf("\n");
        std::fflush(stdout);
    }

    template <class Measure>
    double best(Measure&& measure) const {
        const int repeats = options_.repeats > 0               ? options_.repeats
                            : device_.backend == Backend::cuda ? 5
                                                               : 2;
        return least_seconds(device_, repeats, measure);
    }

    template <class Math, class Steps>
    void row(const std::string& name) {
        const auto integrator = make_column_integrator<Math, Steps>(device_.backend);
        Sums sums = sums_of(*integrator);
        const double seconds = best([&] { sums = integrate(*integrator); });
        print(name, seconds, sums);
    }

    void plain_rows() {
#ifdef KOKKOS_ENABLE_CUDA
        if (device_.backend == Backend::cuda) return plain_on<CudaDevice>();
#endif
        plain_on<OpenMPDevice>();
    }

    template <class Device>
    void plain_on() {
        plain_row<double, Device, true>("published formulas, double, Kahan");
        plain_row<float, Device, true>("published formulas, FP32, Kahan");
        plain_row<float, Device, false>("published formulas, FP32, running sums");
    }

    template <class Real, class Device, bool Kahan>
    void plain_row(const std::string& name) {
        const typename Device::execution_space space;
        const DeviceArea<Real, Device> area(space, tables_.areas[0], tables_.frame);
        const AreaTables& host = tables_.areas[0];
        const std::vector<Real> radius(host.radius.begin(), host.radius.end());
        const std::vector<Real> weight(host.weight.begin(), host.weight.end());
        const auto radii = to_device<Real, Device>(space, "radius", radius.data(), radius.size());
        const auto weights = to_device<Real, Device>(space, "weight", weight.data(), weight.size());
        PlainColumns<Real, Device, Kahan> kernel = plain_kernel<Real, Device, Kahan>();
        kernel.columns = area.columns();
        kernel.radius = radii.data();
        kernel.weight = weights.data();
        kernel.nodes = static_cast<int>(radius.size());
        Sums sums;
        const auto measure = [&] {
            sums.assign(density_.components(), 0);
            const auto part = [&](std::int64_t first, std::int64_t count) {
                plain_part(kernel, space, first, count, sums);
            };
            if (whole_ > 0) part(0, whole_);
            for (const std::int64_t first : starts_) part(first, 256);
        };
        const double seconds = best(measure);
        print(name, seconds, sums);
    }

    template <class Real, class Device, bool Kahan>
    PlainColumns<Real, Device, Kahan> plain_kernel() const {
        PlainColumns<Real, Device, Kahan> kernel;
        const BackgroundDensity& b = density_.background;
        kernel.core = static_cast<Real>(b.shape.core);
        kernel.inverse_q = static_cast<Real>(1 / b.shape.q);
        kernel.halo = static_cast<Real>(b.halo);
        kernel.disk = static_cast<Real>(b.disk);
        kernel.stream_count = static_cast<int>(density_.streams.size());
        for (int s = 0; s < kernel.stream_count; ++s) {
            const Cylinder& c = density_.streams[static_cast<std::size_t>(s)];
            kernel.streams[s] = {{static_cast<Real>(c.axis.x), static_cast<Real>(c.axis.y),
                                  static_cast<Real>(c.axis.z)},
                                 {static_cast<Real>(c.centre.x), static_cast<Real>(c.centre.y),
                                  static_cast<Real>(c.centre.z)},
                                 static_cast<Real>(c.inverse_two_sigma2)};
        }
        return kernel;
    }

    /// Sums over columns in the kernel's arithmetic: running, and in FP32 if Real is float.
    template <class Real, class Device, bool Kahan>
    void plain_part(PlainColumns<Real, Device, Kahan> kernel,
                    const typename Device::execution_space& space, std::int64_t first,
                    std::int64_t count, Sums& sums) const {
        const std::size_t size = density_.components() * static_cast<std::size_t>(count);
        const View1<Real, Device> out("tessera::bench::plain", size);
        kernel.first = static_cast<int>(first);
        kernel.count = static_cast<int>(count);
        kernel.sums = out.data();
        launch_blocks("tessera::bench::plain", space,
                      (kernel.count + kernel.threads - 1) / kernel.threads, kernel);
        const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
        for (std::size_t k = 0; k < sums.size(); ++k) {
            Real sum = 0;
            for (std::int64_t c = 0; c < count; ++c)
                sum += host(k * static_cast<std::size_t>(count) + static_cast<std::size_t>(c));
            sums[k] += static_cast<double>(sum);
        }
    }

    /// Times everything that a user waits for: tables, bounds, all tiles, stars, and the sums over
    /// stars.
    void evaluation() {
        if (whole_ == 0 && device_.backend != Backend::cuda && options_.wedge != "small") return;
        const auto evaluator =
            likelihood::make_exact_evaluator(wedge_.model, wedge_.stars, {}, device_.backend);
        for (int i = 0; i < 3; ++i) {
            const Stopwatch watch(device_);
            const auto result = evaluator->evaluate(std::span(&wedge_.model, 1), {}).front();
            std::printf("evaluation %d with %zu stars: %.4f s, search likelihood %.15g\n", i + 1,
                        wedge_.stars.size(), watch.seconds(), result.search_likelihood);
        }
    }

    const DeviceInfo& device_;
    Options options_;
    likelihood::WedgeInput wedge_;
    likelihood::LineOfSight line_;
    WedgeTables tables_;
    DensityModel density_;
    std::vector<std::int64_t> starts_;  ///< first columns of groups of 256
    std::int64_t whole_ = 0;            ///< all columns at once, if requested
    double points_ = 0, plain_ = 0;
    Sums reference_;
};

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    const auto options = tessera::bench::parse({argc, argv});
    const tessera::kernels::DeviceRuntime runtime({options.device});
    tessera::bench::Bench(options, runtime.info()).run();
    return 0;
}
