// Times the inverse half of the docking search, and compares the vendor's route with the fused
// kernels. Times are in microseconds per rotation (24 members x 8 bases, one coefficient set,
// random grids). It also compares the results:
//   bench_fused_inverse [N ...]       default 64 80 96 108 128 144 160
// For 80, 108 and 128 it then times other cuts of the same kernels.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kokkos_kernels/docking/fused_inverse.hpp"
#include "kokkos_kernels/docking/inverse_planes.hpp"
#include "kokkos_kernels/docking/inverse_x.hpp"
#include "kokkos_kernels/fft/fft_plan.hpp"

namespace tessera::kernels {
namespace {

#ifdef KOKKOS_ENABLE_CUDA
using Device = CudaDevice;
constexpr int members = 24, repeats = 5;
#else
using Device = OpenMPDevice;
constexpr int members = 2, repeats = 1;
#endif
using Space = Device::execution_space;
constexpr int B = bases_per_batch, channels = 7, transforms = members * B;

/// Uniform in [-1, 1), determined by the counter alone.
KOKKOS_INLINE_FUNCTION float random_value(std::uint64_t counter) {
    std::uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-23F - 1.0F;
}

void fill(const Space& space, const RealGrids<Device>& grids, std::uint64_t seed) {
    float* data = grids.data();
    Kokkos::parallel_for(
        "fill",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
            space, 0, static_cast<std::int64_t>(grids.size())),
        KOKKOS_LAMBDA(std::int64_t i) {
            data[i] = random_value(seed + static_cast<std::uint64_t>(i));
        });
}

struct Difference {
    double worst, rms;
};

/// Compares the real grid points of all transforms. Rows are in the in-place layout.
Difference compare(const Space& space, const Spectra<Device>& a, const Spectra<Device>& b, int n) {
    const int width = CellShape{n}.row_floats();
    const std::int64_t stride = 2 * FftShape{n}.spectrum_stride();
    const std::int64_t points = FftShape{n}.points();
    const auto* x = reinterpret_cast<const float*>(a.data());
    const auto* y = reinterpret_cast<const float*>(b.data());
    double worst = 0, square = 0;
    Kokkos::parallel_reduce(
        "compare",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, points * transforms),
        KOKKOS_LAMBDA(std::int64_t i, double& high, double& sum) {
            const std::int64_t point = i % points;
            const std::int64_t at = i / points * stride + point / n * width + point % n;
            const double difference = Kokkos::abs(double{x[at]} - double{y[at]});
            high = difference > high || difference != difference ? difference : high;
            sum += double{y[at]} * y[at];
        },
        Kokkos::Max<double>(worst), square);
    return {worst, std::sqrt(square / (static_cast<double>(points) * transforms))};
}

std::int64_t unequal(const Space& space, const View2<float, Device>& a,
                     const View2<float, Device>& b) {
    const float *x = a.data(), *y = b.data();
    std::int64_t count = 0;
    Kokkos::parallel_reduce(
        "unequal",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
            space, 0, static_cast<std::int64_t>(a.size())),
        KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) { sum += x[i] == y[i] ? 0 : 1; }, count);
    return count;
}

/// Median over repeats, after one run to warm up.
template <class Work>
double microseconds_per_rotation(const Space& space, const Work& work) {
    std::vector<double> times;
    for (int i = 0; i <= repeats; ++i) {
        space.fence();
        const auto start = std::chrono::steady_clock::now();
        work();
        space.fence();
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - start;
        if (i > 0) times.push_back(took.count() / transforms);
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[repeats / 2];
}

class Inverse {
  public:
    explicit Inverse(int n)
        : n_(n),
          shape_{n},
          plan_(space_, shape_, B),
          fused_(space_, n),
          receptor_(make("receptor", members * channels)),
          ligand_(make("ligand", B * channels)),
          scores_(make("scores", transforms)),
          reference_(make("reference", transforms)),
          minima_("minima", transforms, CellShape{n}.cells()),
          reference_minima_("reference_minima", transforms, CellShape{n}.cells()) {
        table_.channels = channels;
        table_.sets = table_.terms = 1;
        table_.weight[0][0] = 1;
        const RealGrids<Device> grids("grids", B, shape_.points());
        const auto transform = [&](const Spectra<Device>& spectra, std::uint64_t seed) {
            for (int row = 0; row < static_cast<int>(spectra.extent(0)); row += B) {
                const int count = std::min(B, static_cast<int>(spectra.extent(0)) - row);
                fill(space_, grids, (seed + static_cast<std::uint64_t>(row)) << 40);
                const Spectra<Device> batch("batch", B, shape_.spectrum_stride());
                plan_.forward(grids.data(), batch.data(), B);
                Kokkos::deep_copy(
                    space_, Kokkos::subview(spectra, std::pair{row, row + count}, Kokkos::ALL),
                    Kokkos::subview(batch, std::pair{0, count}, Kokkos::ALL));
                space_.fence();
            }
        };
        transform(receptor_, 1000);
        transform(ligand_, 5000);
    }

    void report() {
        const double accumulate_time = timed([&] { accumulate_only(); });
        const double vendor = timed([&] { plan_.inverse(reference_.data(), transforms); });
        const double minima = timed([&] { cell_minima(reference_, reference_minima_); });
        accumulate_only();
        const double x = timed([&] { fused_.inverse_x(space_, reference_.data(), transforms); });
        const double planes = timed(
            [&] { fused_.inverse_planes(space_, scores_.data(), minima_.data(), transforms); });
        const double sum_x = transform_cut(n_).groups == 0 ? 0 : timed([&] {
            fused_.accumulate_x(space_, receptor_.data(), ligand_.data(), scores_.data(), table_,
                                members);
        });
        const double all = timed([&] { run(members); });
        std::printf("%4d %10.2f %9.2f %7.2f %7.2f | %7.2f %7.2f %8.2f | %8.2f", n_, accumulate_time,
                    vendor, minima, accumulate_time + vendor + minima, x, planes, sum_x, all);
        for (int pass : {1, 2, 4, 8}) std::printf(" %7.2f", timed([&] { run(pass); }));
        check();
    }

  private:
    Spectra<Device> make(const char* label, int rows) const {
        return Spectra<Device>(Kokkos::view_alloc(space_, std::string(label)), rows,
                               shape_.spectrum_stride());
    }

    template <class Work>
    double timed(const Work& work) {
        return microseconds_per_rotation(space_, work);
    }

    void accumulate_only() {
        accumulate<Device>(space_, receptor_, ligand_, reference_, table_, members,
                           shape_.frequencies());
    }

    void cell_minima(const Spectra<Device>& scores, const View2<float, Device>& minima) {
        const View2<const float, Device> grids(reinterpret_cast<const float*>(scores.data()),
                                               transforms, 2 * shape_.spectrum_stride());
        CellMinima<Device>{grids, minima, {n_}}.launch(space_, transforms);
    }

    /// Runs all members, `pass` of them at a time in the same score array. Smaller passes stay in
    /// cache.
    void run(int pass) {
        for (int first = 0; first < members; first += pass) {
            const int count = std::min(pass, members - first);
            const Spectra<Device> receptor = Kokkos::subview(
                receptor_, std::pair{first * channels, (first + count) * channels}, Kokkos::ALL);
            fused_.run(space_, receptor, ligand_, scores_, minima_, table_, count);
        }
    }

    void check() {
        run(members);
        accumulate_only();
        plan_.inverse(reference_.data(), transforms);
        const Difference fused = compare(space_, scores_, reference_, n_);
        cell_minima(scores_, reference_minima_);
        const auto wrong = unequal(space_, minima_, reference_minima_);
        accumulate_only();
        fused_.inverse_x(space_, reference_.data(), transforms);
        fused_.inverse_planes(space_, reference_.data(), minima_.data(), transforms);
        const Difference apart = compare(space_, scores_, reference_, n_);
        std::printf(" | %8.1e %8.1e %5lld\n", fused.worst / fused.rms, apart.worst / apart.rms,
                    static_cast<long long>(wrong));
        std::fflush(stdout);
    }

    Space space_;
    int n_;
    FftShape shape_;
    FftPlan3d<Device> plan_;
    FusedInverse<Device> fused_;
    Spectra<Device> receptor_, ligand_, scores_, reference_;
    View2<float, Device> minima_, reference_minima_;
    ChannelTable table_;
};

#ifdef KOKKOS_ENABLE_CUDA

/// Times other cuts of the kernels of one size. Their results are not compared.
template <int N>
class Variants {
  public:
    Variants()
        : receptor_("receptor", members * channels, FftShape{N}.spectrum_stride()),
          ligand_("ligand", B * channels, FftShape{N}.spectrum_stride()),
          scores_("scores", transforms, FftShape{N}.spectrum_stride()),
          roots_("roots", N),
          minima_("minima", transforms, CellShape{N}.cells()) {
        table_.channels = channels;
        table_.sets = table_.terms = 1;
    }

    template <int Width, int Groups, int Bases = 4>
    void sum() {
        using Kernel = AccumulateInverseX<N, channels, true, Width, Groups, Bases>;
        const Kernel kernel{receptor_.data(), ligand_.data(), scores_.data(),
                            roots_.data(),    table_,         members};
        const double time = microseconds_per_rotation(
            space_, [&] { launch_blocks("sum", space_, Kernel::blocks(), kernel); });
        std::printf("%4d sum+x  width %2d groups %2d bases %d: %4d threads x %d %6d B %8.2f us\n",
                    N, Width, Groups, Bases, Kernel::threads, Kernel::blocks_per_unit,
                    Kernel::shared_bytes, time);
    }

    template <int Threads>
    void planes() {
        using Kernel = InversePlanes<N, Threads>;
        const Kernel kernel{scores_.data(), minima_.data(), roots_.data()};
        const double time = microseconds_per_rotation(
            space_, [&] { launch_blocks("planes", space_, transforms * N, kernel); });
        std::printf("%4d planes %4d threads x %d %6d B %8.2f us\n", N, Threads,
                    Kernel::blocks_per_unit, Kernel::shared_bytes, time);
    }

  private:
    Space space_;
    Spectra<Device> receptor_, ligand_, scores_;
    View1<Complex, Device> roots_;
    View2<float, Device> minima_;
    ChannelTable table_;
};

void variants() {
    {
        Variants<80> v;
        v.sum<8, 6>(), v.sum<8, 4>(), v.sum<8, 8, 2>(), v.sum<16, 4, 2>();
    }
    {
        Variants<96> v;
        v.sum<8, 5, 4>(), v.sum<8, 4, 4>(), v.sum<8, 6, 2>(), v.sum<8, 8, 2>();
    }
    {
        Variants<108> v;
        v.sum<8, 4, 4>(), v.sum<8, 4, 2>(), v.sum<8, 6, 2>(), v.sum<8, 8, 2>();
    }
    {
        Variants<128> v;
        v.sum<8, 4, 2>(), v.sum<8, 6, 2>(), v.sum<8, 8, 2>(), v.sum<16, 4, 1>();
    }
    {
        Variants<144> v;
        v.sum<8, 4, 2>(), v.sum<8, 6, 2>(), v.sum<4, 8>();
    }
}

#endif

}  // namespace
}  // namespace tessera::kernels

int main(int argc, char** argv) {
    using namespace tessera::kernels;
    const Kokkos::ScopeGuard kokkos(argc, argv);
    std::vector<int> sizes;
    for (int i = 1; i < argc; ++i) sizes.push_back(std::atoi(argv[i]));
    if (sizes.empty()) sizes = {64, 80, 96, 108, 128, 144, 160};
    std::printf("microseconds per rotation, %d members x %d bases, one set\n", members, B);
    std::printf("   n accumulate   inverse  minima  vendor |  x pass  planes    sum+x |  fused:\n");
    std::printf("%*s%d members   1, 2, 4 or 8 at a time      | error/rms: fused, "
                "unfused sum; wrong minima\n",
                70, "all ", members);
    for (int n : sizes) {
        if (FusedInverse<Device>::supports(n))
            Inverse(n).report();
        else
            std::printf("%4d has no fused kernels\n", n);
    }
#ifdef KOKKOS_ENABLE_CUDA
    variants();
#endif
    return 0;
}
