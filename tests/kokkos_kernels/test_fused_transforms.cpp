// The fused transforms against the sum, the vendor's transform and a plain minimum search.
#include "kokkos_kernels/docking/fused_transforms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "bench/ordered_receptor.hpp"
#include "kokkos_kernels/fft/fft_plan.hpp"

namespace tessera::kernels {
namespace {

constexpr int B = bases_per_batch;

ChannelTable one_set() {
    ChannelTable table;
    table.channels = 7;
    table.sets = table.terms = 1;
    table.weight[0][0] = 1;
    return table;
}

ChannelTable several_sets(int sets, int eigen_terms) {
    ChannelTable table;
    table.channels = 3 + eigen_terms;
    table.sets = sets;
    table.terms = max_terms;
    for (int c = 0; c < table.channels; ++c) table.term[c] = c < 3 ? c : 3;
    for (int s = 0; s < sets; ++s)
        for (int t = 0; t < max_terms; ++t)
            table.weight[s][t] =
                0.5F + 0.25F * static_cast<float>(s) - 0.3F * static_cast<float>(t);
    return table;
}

/// Spectra of random real grids: only these have real transforms.
template <class Device>
Spectra<Device> random_spectra(const typename Device::execution_space& space, int n, int count,
                               unsigned seed) {
    const FftShape shape{n};
    std::vector<float> host(static_cast<std::size_t>(shape.points()) * count);
    std::mt19937 random(seed);
    for (float& value : host) value = static_cast<float>(random()) * 0x1p-31F - 1.0F;
    const auto grids = to_device<float, Device>(space, "grids", host.data(), host.size());
    const Spectra<Device> spectra("spectra", count, shape.spectrum_stride());
    FftPlan3d<Device>(space, shape, 1).forward(grids.data(), spectra.data(), count);
    space.fence();
    return spectra;
}

template <class Device>
struct Scored {
    Spectra<Device> scores;
    View2<float, Device> minima;
};

template <class Device>
struct Problem {
    typename Device::execution_space space;
    int n;
    ChannelTable table;
    int members;
    Spectra<Device> receptor, ligand;

    Problem(int n, const ChannelTable& table, int members)
        : n(n),
          table(table),
          members(members),
          receptor(random_spectra<Device>(space, n, members * table.channels, 1)),
          ligand(random_spectra<Device>(space, n, B * table.channels, 2)) {}

    int transforms() const { return members * B * table.sets; }

    Scored<Device> empty() const {
        return {Spectra<Device>("scores", transforms(), FftShape{n}.spectrum_stride()),
                View2<float, Device>("minima", transforms(), CellShape{n}.cells())};
    }

    Spectra<Device> ordered_receptor() const {
        const FusedTransforms<Device> transforms(space, n);
        return ordered<Device>(space, receptor, transforms.receptor_order(table), members);
    }

    Scored<Device> fused() const {
        const Scored<Device> result = empty();
        FusedTransforms<Device>(space, n).run(space, {ordered_receptor(), ligand, result.scores},
                                              result.minima, table, members);
        space.fence();
        return result;
    }

    Scored<Device> reference() const {
        const Scored<Device> result = empty();
        accumulate<Device>(space, {receptor, ligand, result.scores}, table, members,
                           FftShape{n}.frequencies());
        FftPlan3d<Device>(space, {n}, 1).inverse(result.scores.data(), transforms());
        space.fence();
        return result;
    }
};

template <class View>
auto on_host(const View& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Root mean square of a and of the difference over the grid points of all transforms.
template <class Device>
void expect_same_scores(int n, const Scored<Device>& got, const Scored<Device>& want) {
    const int width = CellShape{n}.row_floats();
    const int transforms = static_cast<int>(got.scores.extent(0));
    const auto a = on_host(got.scores), b = on_host(want.scores);
    double square = 0, worst = 0;
    for (int t = 0; t < transforms; ++t) {
        const float* x = reinterpret_cast<const float*>(&a(t, 0));
        const float* y = reinterpret_cast<const float*>(&b(t, 0));
        for (std::int64_t row = 0; row < std::int64_t{n} * n; ++row)
            for (int z = 0; z < n; ++z) {
                const double value = y[row * width + z];
                square += value * value;
                worst = std::max(worst, std::abs(x[row * width + z] - value));
            }
    }
    const double rms = std::sqrt(square / (static_cast<double>(FftShape{n}.points()) * transforms));
    EXPECT_GT(rms, 0);
    EXPECT_LT(worst / rms, 1e-6 * std::sqrt(3 * std::log2(n))) << "n = " << n;
}

template <class Device>
void expect_minima_of_scores(int n, const Scored<Device>& got) {
    const CellShape cells{n};
    const int transforms = static_cast<int>(got.scores.extent(0));
    const auto scores = on_host(got.scores);
    const auto minima = on_host(got.minima);
    for (int t = 0; t < transforms; ++t) {
        const float* data = reinterpret_cast<const float*>(&scores(t, 0));
        for (int cell = 0; cell < cells.cells(); ++cell) {
            float low = std::numeric_limits<float>::max();
            for (int row = 0; row < cells.row_count(cell); ++row)
                for (int z = 0; z < n; ++z)
                    low = std::min(low, data[cells.offset(cell) + row * cells.row_floats() + z]);
            ASSERT_EQ(minima(t, cell), low) << "n = " << n << " cell " << cell;
        }
    }
}

template <class Device>
class FusedTransformsOn : public ::testing::Test {};
#ifdef KOKKOS_ENABLE_CUDA
using Devices = ::testing::Types<OpenMPDevice, CudaDevice>;
#else
using Devices = ::testing::Types<OpenMPDevice>;
#endif
TYPED_TEST_SUITE(FusedTransformsOn, Devices);

template <class Device>
void expect_agreement(int n, const ChannelTable& table, int members) {
    const Problem<Device> problem(n, table, members);
    const Scored<Device> fused = problem.fused();
    expect_same_scores<Device>(n, fused, problem.reference());
    expect_minima_of_scores<Device>(n, fused);
}

/// One transform by its two passes alone.
template <class Device>
void expect_passes_agree(int n) {
    const typename Device::execution_space space;
    const auto got = random_spectra<Device>(space, n, 1, 3);
    const Spectra<Device> want("want", 1, FftShape{n}.spectrum_stride());
    Kokkos::deep_copy(want, got);
    const View2<float, Device> minima("minima", 1, CellShape{n}.cells());
    const FusedTransforms<Device> fused(space, n);
    fused.inverse_x(space, got.data(), 1);
    fused.inverse_planes(space, got.data(), minima.data(), 1);
    FftPlan3d<Device>(space, {n}, 1).inverse(want.data(), 1);
    space.fence();
    expect_same_scores<Device>(n, {got, minima}, {want, {}});
    expect_minima_of_scores<Device>(n, {got, minima});
}

/// Two random grids that are zero where x or y is farther than `reach` from 0.
std::vector<float> grids_within(int n, int reach) {
    std::vector<float> grids(2 * static_cast<std::size_t>(n) * n * n);
    std::mt19937 random(4);
    const auto near = [&](int i) { return std::min(i, n - i) <= reach; };
    for (std::size_t i = 0; i < grids.size(); ++i) {
        const int y = static_cast<int>(i) / n % n, x = static_cast<int>(i) / n / n % n;
        if (near(x) && near(y)) grids[i] = static_cast<float>(random()) * 0x1p-31F - 1.0F;
    }
    return grids;
}

template <class Device>
void expect_forward_agrees(int n, int reach) {
    const typename Device::execution_space space;
    const FftShape shape{n};
    const std::vector<float> host = grids_within(n, reach);
    const auto grids = to_device<float, Device>(space, "grids", host.data(), host.size());
    const Spectra<Device> got("got", 2, shape.spectrum_stride());
    const Spectra<Device> want("want", 2, shape.spectrum_stride());
    // Planes out of reach may hold anything.
    Kokkos::deep_copy(got, Complex(NAN, NAN));
    FusedTransforms<Device>(space, n).forward(space, grids.data(), got.data(), 2, reach);
    FftPlan3d<Device>(space, shape, 1).forward(grids.data(), want.data(), 2);
    space.fence();
    const auto a = on_host(got), b = on_host(want);
    double square = 0, worst = 0;
    for (int t = 0; t < 2; ++t)
        for (std::int64_t k = 0; k < shape.frequencies(); ++k) {
            square += Kokkos::abs(b(t, k)) * Kokkos::abs(b(t, k));
            const double difference = Kokkos::abs(a(t, k) - b(t, k));
            ASSERT_TRUE(std::isfinite(difference)) << "n = " << n << ", frequency " << k;
            worst = std::max(worst, difference);
        }
    const double rms = std::sqrt(square / (2.0 * static_cast<double>(shape.frequencies())));
    EXPECT_LT(worst / rms, 2e-6 * std::sqrt(3 * std::log2(n))) << "n = " << n;
}

const std::vector<int> sizes{48,  54,  60,  64,  72,  80,  90,  96,  100, 108,
                             120, 128, 144, 160, 180, 192, 200, 216, 224, 240};

TYPED_TEST(FusedTransformsOn, PassesOfEverySizeMatchTheVendorsTransform) {
    for (const int n : sizes) {
        ASSERT_TRUE(FusedTransforms<TypeParam>::supports(n));
        expect_passes_agree<TypeParam>(n);
    }
    EXPECT_FALSE(FusedTransforms<TypeParam>::supports(50));
}

TYPED_TEST(FusedTransformsOn, ForwardTransformOfWhatALigandReaches) {
    for (const int n : sizes) expect_forward_agrees<TypeParam>(n, n / 5);
    // Everything, everything but one row, and one row.
    for (const int reach : {40, 23, 0}) expect_forward_agrees<TypeParam>(48, reach);
}

TYPED_TEST(FusedTransformsOn, SumOfSmallSizesMatchesTheVendorsRoute) {
    for (const int n : sizes)
        if (n <= 60) expect_agreement<TypeParam>(n, one_set(), 1);
}

/// A minute on a CPU; a device takes seconds.
TYPED_TEST(FusedTransformsOn, DISABLED_SumOfEverySizeMatchesTheVendorsRoute) {
    for (const int n : sizes) {
        expect_agreement<TypeParam>(n, one_set(), 1);
        expect_agreement<TypeParam>(n, several_sets(2, 4), 1);
    }
}

TYPED_TEST(FusedTransformsOn, MembersThatDoNotFillAGroup) {
    expect_agreement<TypeParam>(48, one_set(), 11);
}

TYPED_TEST(FusedTransformsOn, SetsWithTwoShapeChannels) {
    ASSERT_TRUE(FusedTransforms<TypeParam>({}, 54).fuses_sum(several_sets(3, 4)));
    expect_agreement<TypeParam>(54, several_sets(3, 4), 2);
}

TYPED_TEST(FusedTransformsOn, MoreSetsThanAreSummedAtOnce) {
    expect_agreement<TypeParam>(48, several_sets(7, 4), 3);
}

TYPED_TEST(FusedTransformsOn, OtherNumbersOfEigenTermsTakeTheUnfusedSum) {
    ASSERT_FALSE(FusedTransforms<TypeParam>({}, 60).fuses_sum(several_sets(2, 2)));
    expect_agreement<TypeParam>(60, several_sets(2, 2), 2);
}

TYPED_TEST(FusedTransformsOn, SameBitsEachTimeAndForEachSplitOverMembers) {
    const Problem<TypeParam> problem(48, one_set(), 5);
    const auto whole = on_host(problem.fused().scores);
    const auto again = on_host(problem.fused().scores);
    EXPECT_EQ(std::memcmp(whole.data(), again.data(), whole.span() * sizeof(Complex)), 0);
    const Scored<TypeParam> pass = problem.empty();
    const auto receptor =
        Kokkos::subview(problem.ordered_receptor(), std::pair{3 * 7, 5 * 7}, Kokkos::ALL);
    FusedTransforms<TypeParam>(problem.space, 48)
        .run(problem.space, {receptor, problem.ligand, pass.scores}, pass.minima, problem.table, 2);
    problem.space.fence();
    const auto part = on_host(pass.scores);
    const FftShape shape{48};
    for (int t = 0; t < 2 * B; ++t)
        EXPECT_EQ(
            std::memcmp(&whole(3 * B + t, 0), &part(t, 0), shape.frequencies() * sizeof(Complex)),
            0);
}

}  // namespace
}  // namespace tessera::kernels
