// The host's transforms against sums in double precision by the definition.
#include "kokkos_kernels/fft/host_fft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

namespace tessera::kernels {
namespace {

using Exact = std::complex<double>;

/// Random numbers where x is at most `reach` from 0, else zeros. Views have aligned memory.
View1<float, OpenMPDevice> random_grid(int n, int reach) {
    const View1<float, OpenMPDevice> grid("grid", FftShape{n}.points());
    std::mt19937 random(5);
    for (int x = 0; x < n; ++x)
        for (int i = 0; i < n * n; ++i)
            if (x <= reach || x >= n - reach)
                grid(x * n * n + i) = static_cast<float>(random()) * 0x1p-31F - 1.0F;
    return grid;
}

/// exp(-2 pi i k / n) for k = 0 .. n - 1.
std::vector<Exact> roots(int n) {
    std::vector<Exact> found;
    for (int k = 0; k < n; ++k) found.push_back(std::polar(1.0, -2 * std::numbers::pi * k / n));
    return found;
}

/// One frequency of a grid.
Exact frequency(const View1<float, OpenMPDevice>& grid, int n, int kx, int ky, int kz) {
    const std::vector<Exact> root = roots(n);
    Exact sum = 0;
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            for (int z = 0; z < n; ++z)
                sum += root[static_cast<std::size_t>((kx * x + ky * y + kz * z) % n)] *
                       double{grid((x * n + y) * n + z)};
    return sum;
}

class HostFftOf : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, HostFftOf, ::testing::Values(6, 30, 32, 54));

TEST_P(HostFftOf, ForwardIsTheSum) {
    const int n = GetParam(), half = n / 2 + 1, reach = n / 5;
    const auto grid = random_grid(n, reach);
    const HostFft fft({n});
    View1<Complex, OpenMPDevice> whole("whole", FftShape{n}.spectrum_stride()),
        pruned("pruned", FftShape{n}.spectrum_stride());
    Kokkos::deep_copy(pruned, Complex(7, 7));  // what was there before must not count
    fft.forward(grid.data(), whole.data(), n);
    fft.forward(grid.data(), pruned.data(), reach);
    for (const auto& [kx, ky, kz] : {std::array{0, 0, 0}, {1, 2, 3}, {n - 1, n / 2, half - 1}}) {
        const Exact want = frequency(grid, n, kx, ky, kz);
        const Complex found = whole((kx * n + ky) * half + kz);
        EXPECT_NEAR(found.real(), want.real(), 1e-6 * n * n * std::sqrt(n));
        EXPECT_NEAR(found.imag(), want.imag(), 1e-6 * n * n * std::sqrt(n));
    }
    for (std::int64_t k = 0; k < FftShape{n}.frequencies(); ++k) {
        ASSERT_EQ(pruned(k).real(), whole(k).real()) << k;
        ASSERT_EQ(pruned(k).imag(), whole(k).imag()) << k;
    }
}

TEST_P(HostFftOf, InverseUndoesForward) {
    const int n = GetParam(), row = 2 * (n / 2 + 1);
    const auto grid = random_grid(n, n);
    const HostFft fft({n});
    const View1<Complex, OpenMPDevice> data("data", FftShape{n}.spectrum_stride());
    fft.forward(grid.data(), data.data(), n);
    fft.inverse(data.data());
    const auto* found = reinterpret_cast<const float*>(data.data());
    const auto points = static_cast<float>(FftShape{n}.points());
    for (int yx = 0; yx < n * n; ++yx)
        for (int z = 0; z < n; ++z)
            ASSERT_NEAR(found[yx * row + z] / points, grid(yx * n + z), 2e-6);
}

}  // namespace
}  // namespace tessera::kernels
