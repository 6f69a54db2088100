// First two axes of the forward transform of ligand grids, for the part of a grid that a ligand can
// reach. A block takes one x plane.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/docking/fused_transform_sizes.hpp"
#include "kokkos_kernels/fft/fft_radix.hpp"

namespace tessera::kernels {

/// Takes real grids that are zero where x or y is farther than `reach` from 0 (the grids are
/// periodic), and writes their transforms along y and z, with exponent +2 pi i, for the planes x
/// within reach. Along z, a real row is a complex transform Z of half the length, h = n/2:
///     X[k] = (Z[k] + conj Z[h-k]) / 2 - i w^k (Z[k] - conj Z[h-k]) / 2,   w = exp(2 pi i / n).
///
/// Every stage writes its results in place of its inputs, so one barrier between stages is enough.
template <int N>
struct ForwardPlanes {
    using Shape = TransformShape<N>;
    static constexpr TransformCut cut = Shape::cut;
    static constexpr int half = Shape::half;
    /// A row holds columns 0 to h. It is odd, so that lanes walking over rows meet different banks.
    static constexpr int pitch = (half + 1) | 1;
    static constexpr int threads = cut.plane_threads;
    static constexpr int shared_bytes = N * pitch * static_cast<int>(sizeof(Complex));
    static constexpr bool may_not_fit = true;  ///< FusedTransforms::supports()
    static_assert(shared_bytes <= max_block_shared);
    static constexpr int blocks_per_unit =
        smaller(blocks_by_shared(shared_bytes), blocks_by_threads(threads, 80));

    const float* grids;    ///< [transform][n^3]
    Complex* spectra;      ///< [transform][stride]
    const Complex* roots;  ///< [n] exp(2 pi i k / n)
    int reach;

    /// Rows or planes within reach.
    static KOKKOS_FUNCTION int lines(int reach) { return smaller(2 * reach + 1, N); }
    static KOKKOS_FUNCTION int line(int index, int reach) {
        return index <= reach ? index : index + N - lines(reach);
    }

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const int transform = block.index / lines(reach);
        const int x = line(block.index % lines(reach), reach);
        auto* data = static_cast<Complex*>(block.shared);
        load(block, grids + (std::int64_t{transform} * N + x) * N * N, data);
        block.barrier();
        first_along_z(block, data);
        block.barrier();
        second_along_z(block, data);
        block.barrier();
        first_along_y(block, data);
        block.barrier();
        second_along_y(block, data,
                       spectra + transform * Shape::stride + std::int64_t{x} * Shape::plane);
    }

  private:
    /// Column of the shared array that holds frequency k once the rows are transformed.
    KOKKOS_FUNCTION static int slot_of(int k) {
        return k == half ? half : cut.z2 * (k % cut.z1) + k / cut.z1;
    }

    template <class Block>
    KOKKOS_FUNCTION void load(const Block& block, const float* plane, Complex* data) const {
        for (int item = block.rank(); item < lines(reach) * half; item += block.size) {
            const int y = line(item / half, reach), k = item % half;
            const float* in = plane + y * N + 2 * k;
            data[y * pitch + k] = Complex(in[0], in[1]);
        }
    }

    template <class Block>
    KOKKOS_FUNCTION void first_along_z(const Block& block, Complex* data) const {
        const int rows = lines(reach);
        for (int item = block.rank(); item < rows * cut.z2; item += block.size) {
            const int j = item / rows;
            Complex* row = data + line(item % rows, reach) * pitch + j;
            Complex v[cut.z1];
            TESSERA_UNROLL
            for (int i = 0; i < cut.z1; ++i) v[i] = row[cut.z2 * i];
            fft::transform<cut.z1>(v);
            TESSERA_UNROLL
            for (int p = 0; p < cut.z1; ++p)
                row[cut.z2 * p] = p == 0 ? v[0] : fft::multiply(v[p], roots[2 * j * p]);
        }
    }

    template <class Block>
    KOKKOS_FUNCTION void second_along_z(const Block& block, Complex* data) const {
        const int rows = lines(reach);
        for (int item = block.rank(); item < rows * cut.z1; item += block.size) {
            Complex* in = data + line(item % rows, reach) * pitch + item / rows * cut.z2;
            Complex v[cut.z2];
            TESSERA_UNROLL
            for (int j = 0; j < cut.z2; ++j) v[j] = in[j];
            fft::transform<cut.z2>(v);
            TESSERA_UNROLL
            for (int q = 0; q < cut.z2; ++q) in[q] = v[q];
        }
    }

    /// Takes columns k and h - k together, and forms the transform of the real rows at once.
    template <class Block>
    KOKKOS_FUNCTION void first_along_y(const Block& block, Complex* data) const {
        constexpr int pairs = half / 2 + 1;
        for (int item = block.rank(); item < pairs * cut.y1; item += block.size) {
            const int k = item % pairs, j = item / pairs;
            Complex* row = data + j * pitch;
            const int here = slot_of(k), mirror = slot_of(half - k);
            const Complex turn = roots[k];
            Complex a[cut.y2], b[cut.y2];
            TESSERA_UNROLL
            for (int i = 0; i < cut.y2; ++i) {
                if (!is_near<N>(j + cut.y1 * i, reach)) {
                    a[i] = b[i] = Complex();
                    continue;
                }
                const Complex lower = row[i * cut.y1 * pitch + here];
                const Complex upper = k == 0 ? lower : row[i * cut.y1 * pitch + mirror];
                split(lower, upper, turn, a[i], b[i]);
            }
            fft::transform<cut.y2>(a);
            fft::transform<cut.y2>(b);
            TESSERA_UNROLL
            for (int p = 0; p < cut.y2; ++p) {
                row[p * cut.y1 * pitch + here] = p == 0 ? a[0] : fft::multiply(a[p], roots[j * p]);
                row[p * cut.y1 * pitch + mirror] =
                    p == 0 ? b[0] : fft::multiply(b[p], roots[j * p]);
            }
        }
    }

    /// X[k] and X[h - k] from Z[k] and Z[h - k].
    KOKKOS_FUNCTION static void split(Complex lower, Complex upper, Complex turn, Complex& a,
                                      Complex& b) {
        const Complex even(0.5F * (lower.real() + upper.real()),
                           0.5F * (lower.imag() - upper.imag()));
        const Complex odd = fft::multiply(
            turn, {0.5F * (lower.imag() + upper.imag()), 0.5F * (upper.real() - lower.real())});
        a = even + odd;
        b = Complex(even.real() - odd.real(), odd.imag() - even.imag());
    }

    template <class Block>
    KOKKOS_FUNCTION void second_along_y(const Block& block, const Complex* data,
                                        Complex* out) const {
        for (int item = block.rank(); item < Shape::row * cut.y2; item += block.size) {
            const int k = item % Shape::row, p = item / Shape::row;
            const Complex* column = data + p * cut.y1 * pitch + slot_of(k);
            Complex v[cut.y1];
            TESSERA_UNROLL
            for (int j = 0; j < cut.y1; ++j) v[j] = column[j * pitch];
            fft::transform<cut.y1>(v);
            TESSERA_UNROLL
            for (int q = 0; q < cut.y1; ++q) out[(p + cut.y2 * q) * Shape::row + k] = v[q];
        }
    }
};

}  // namespace tessera::kernels
