// This program times the inverse half of the docking search, and compares the vendor's route with
// the fused kernels. Times are in microseconds per rotation (24 members x 8 bases, one coefficient
// set, random grids). It also compares the results:
//   bench_fused_inverse [N ...]       default 64 80 96 108 128 144 160
// On a CUDA device it then times other cuts of the same kernels for some sizes.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/inverse_arrays.hpp"
#include "bench/inverse_cuts.hpp"
#include "bench/ordered_receptor.hpp"
#include "kokkos_kernels/docking/fused_transforms.hpp"
#include "kokkos_kernels/fft/fft_plan.hpp"

namespace tessera::kernels::inverse_bench {
namespace {

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
        ordered_ = ordered<Device>(space_, receptor_, fused_.receptor_order(table_), members);
    }

    void report() {
        const double accumulate_time = timed([&] { accumulate_only(); });
        const double vendor = timed([&] { plan_.inverse(reference_.data(), transforms); });
        const double minima = timed([&] { cell_minima(reference_, reference_minima_); });
        accumulate_only();
        const double x = timed([&] { fused_.inverse_x(space_, reference_.data(), transforms); });
        const double planes = timed(
            [&] { fused_.inverse_planes(space_, scores_.data(), minima_.data(), transforms); });
        const double sum_x = timed([&] {
            fused_.accumulate_x(space_, ordered_.data(), ligand_.data(), scores_.data(), table_,
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
        accumulate<Device>(space_, {receptor_, ligand_, reference_}, table_, members,
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
                ordered_, std::pair{first * channels, (first + count) * channels}, Kokkos::ALL);
            fused_.run(space_, {receptor, ligand_, scores_}, minima_, table_, count);
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
    FusedTransforms<Device> fused_;
    Spectra<Device> receptor_, ordered_, ligand_, scores_, reference_;
    View2<float, Device> minima_, reference_minima_;
    ChannelTable table_;
};

}  // namespace
}  // namespace tessera::kernels::inverse_bench

int main(int argc, char** argv) {
    using namespace tessera::kernels;
    using namespace tessera::kernels::inverse_bench;
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
        if (FusedTransforms<Device>::supports(n))
            Inverse(n).report();
        else
            std::printf("%4d has no fused kernels\n", n);
    }
#ifdef KOKKOS_ENABLE_CUDA
    time_other_cuts();
#endif
    return 0;
}
