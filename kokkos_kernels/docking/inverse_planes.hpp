// Second and third axis of the inverse transform, and the minima of the filter's cells. A block
// takes one x plane. Only cells with scores of interest are written.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/docking/fused_transform_sizes.hpp"
#include "kokkos_kernels/docking/pose_filter.hpp"
#include "kokkos_kernels/docking/score_limits.hpp"
#include "kokkos_kernels/fft/fft_radix.hpp"

namespace tessera::kernels {

/// Takes spectra that are already transformed along x, and leaves real scores in the layout of
/// cuFFT's in-place transform, but only in cells whose minimum is not above the limit of their set.
/// What other cells hold is undefined. Columns kz = 0 and kz = n/2 become real along z. They share
/// one complex column (the second is multiplied by i), so that n/2 columns remain. Along z, a real
/// row is a complex transform of half the length of
/// Z[k] = (X[k] + conj X[h-k]) + i w^k (X[k] - conj X[h-k]), h = n/2, w = exp(2 pi i / n).
///
/// Every stage but the last writes its results in place of its inputs, so one barrier between
/// stages is enough. The last stage keeps only minima. It is repeated for the few rows that are
/// written.
template <int N, int Threads = transform_cut(N).plane_threads>
struct InversePlanes {
    using Shape = TransformShape<N>;
    static constexpr TransformCut cut = Shape::cut;
    static constexpr int half = Shape::half;
    static constexpr int pitch =
        half | 1;  ///< odd, so that lanes walking over rows meet different banks
    static constexpr int threads = Threads;
    static constexpr int plane_bytes = N * pitch * static_cast<int>(sizeof(Complex));
    /// Minima of the items of a row, of an odd number.
    static constexpr int low_pitch = cut.z1 | 1;
    static constexpr int low_bytes = N * low_pitch * static_cast<int>(sizeof(float));
    /// At 240 points nothing is left for the minima. They take the place of the inputs, and all
    /// scores are written.
    static constexpr bool keeps_inputs = plane_bytes + low_bytes <= max_block_shared;
    static constexpr int shared_bytes = plane_bytes + (keeps_inputs ? low_bytes : 0);
    static constexpr bool may_not_fit = true;  ///< FusedTransforms::supports()
    static constexpr int blocks_per_unit =
        smaller(blocks_by_shared(shared_bytes), blocks_by_threads(threads, 64));

    Complex* scores;       ///< [transform][stride]
    float* minima;         ///< [transform][cells]
    const Complex* roots;  ///< [n] exp(2 pi i k / n)
    int sets = 1;
    ScoreLimits limits;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const int transform = block.index / N, x = block.index % N;
        Complex* plane = scores + transform * Shape::stride + std::int64_t{x} * Shape::plane;
        auto* data = static_cast<Complex*>(block.shared);
        first_along_y(block, plane, data);
        block.barrier();
        second_along_y(block, data);
        block.barrier();
        first_along_z(block, data);
        block.barrier();
        const float limit = limits.of_set[transform % sets];
        const bool all = !keeps_inputs || limit == ScoreLimits::none;
        second_along_z(block, all ? plane : nullptr, data);
        block.barrier();
        cell_minima(block, data,
                    minima + transform * CellShape{N}.cells() + x * CellShape{N}.groups());
        if (all) return;
        block.barrier();
        write_cells(block, data, limit, plane);
    }

  private:
    /// The items rank, rank + Step, ... of an array with `Columns` columns.
    template <int Columns, int Step>
    struct Walk {
        int item, column, row;
        KOKKOS_FUNCTION explicit Walk(int rank)
            : item(rank), column(rank % Columns), row(rank / Columns) {}
        KOKKOS_FUNCTION void next() {
            item += Step;
            row = Step % Columns == 0 ? row + Step / Columns : item / Columns;
            column = Step % Columns == 0 ? column : item % Columns;
        }
    };

    /// Row of the shared array that holds y after the transform along y.
    KOKKOS_FUNCTION static int slot_of(int y) { return cut.y2 * (y % cut.y1) + y / cut.y1; }
    KOKKOS_FUNCTION static int y_of(int slot) { return slot / cut.y2 + cut.y1 * (slot % cut.y2); }

    template <class Block>
    KOKKOS_FUNCTION void first_along_y(const Block& block, const Complex* plane,
                                       Complex* data) const {
        constexpr int items = half * cut.y2;
        Walk<half, Block::size> at(block.rank());
        // Unrolled, so that the next item is read early.
        TESSERA_UNROLL
        for (int first = 0; first < items; first += Block::size, at.next()) {
            if (at.item >= items) continue;
            const int k = at.column, j = at.row;
            const Complex* in = plane + j * Shape::row + k;
            Complex v[cut.y1];
            TESSERA_UNROLL
            for (int i = 0; i < cut.y1; ++i) v[i] = in[i * cut.y2 * Shape::row];
            if (k == 0) {
                TESSERA_UNROLL
                for (int i = 0; i < cut.y1; ++i)
                    v[i] += fft::times_i(in[i * cut.y2 * Shape::row + half]);
            }
            fft::transform<cut.y1>(v);
            Complex* out = data + j * pitch + k;
            TESSERA_UNROLL
            for (int p = 0; p < cut.y1; ++p)
                out[p * cut.y2 * pitch] = p == 0 ? v[0] : fft::multiply(v[p], roots[j * p]);
        }
    }

    /// Takes columns k and h - k together, and forms the input of the transform along z at once.
    template <class Block>
    KOKKOS_FUNCTION void second_along_y(const Block& block, Complex* data) const {
        constexpr int pairs = (half + 1) / 2;
        constexpr bool even = half % 2 == 0;
        for (Walk<pairs, Block::size> at(block.rank()); at.item < pairs * cut.y1; at.next()) {
            const int k = at.column, p = at.row;
            const int mirror = k == 0 ? (even ? half / 2 : 0) : half - k;
            Complex* row = data + p * cut.y2 * pitch;
            Complex a[cut.y2], b[cut.y2];
            TESSERA_UNROLL
            for (int j = 0; j < cut.y2; ++j) {
                a[j] = row[j * pitch + k];
                b[j] = row[j * pitch + mirror];
            }
            fft::transform<cut.y2>(a);
            fft::transform<cut.y2>(b);
            const Complex turn = roots[k];
            TESSERA_UNROLL
            for (int q = 0; q < cut.y2; ++q) {
                // Column 0 holds two real columns. Column h/2 is its own mirror.
                const Complex lower = k == 0 ? Complex(a[q].real(), 0) : a[q];
                const Complex upper = k == 0 ? Complex(a[q].imag(), 0) : b[q];
                const Complex sum(lower.real() + upper.real(), lower.imag() - upper.imag());
                const Complex rest =
                    fft::multiply(turn, {lower.real() - upper.real(), lower.imag() + upper.imag()});
                if (even || k != 0)
                    row[q * pitch + mirror] =
                        k == 0 ? Complex(2 * b[q].real(), -2 * b[q].imag())
                               : Complex(sum.real() + rest.imag(), rest.real() - sum.imag());
                row[q * pitch + k] = Complex(sum.real() - rest.imag(), sum.imag() + rest.real());
            }
        }
    }

    template <class Block>
    KOKKOS_FUNCTION void first_along_z(const Block& block, Complex* data) const {
        for (int item = block.rank(); item < N * cut.z2; item += block.size) {
            const int j = item / N;
            Complex* row = data + item % N * pitch + j;
            Complex v[cut.z1];
            TESSERA_UNROLL
            for (int i = 0; i < cut.z1; ++i) v[i] = row[cut.z2 * i];
            fft::transform<cut.z1>(v);
            TESSERA_UNROLL
            for (int p = 0; p < cut.z1; ++p)
                row[cut.z2 * p] = p == 0 ? v[0] : fft::multiply(v[p], roots[2 * j * p]);
        }
    }

    /// The minimum of one item of a row. It may take the place of the item's first input.
    KOKKOS_FUNCTION static float& low_of(Complex* data, int slot, int p) {
        if constexpr (keeps_inputs)
            return reinterpret_cast<float*>(data + N * pitch)[slot * low_pitch + p];
        else
            return reinterpret_cast<float*>(data + slot * pitch + p * cut.z2)[0];
    }

    /// The real scores z = 2 (p + z1 q) and the one after each, of one row. Both callers must get
    /// the same bits. A host compiler might join multiplications and additions in one of them only.
#ifndef __CUDA_ARCH__
    __attribute__((noinline))
#endif
    KOKKOS_FUNCTION static void
    scores_of_item(const Complex* data, int slot, int p, Complex (&v)[cut.z2]) {
        const Complex* in = data + slot * pitch + p * cut.z2;
        TESSERA_UNROLL
        for (int j = 0; j < cut.z2; ++j) v[j] = in[j];
        fft::transform<cut.z2>(v);
    }

    /// Writes the real scores, if there is a plane to write them to.
    template <class Block>
    KOKKOS_FUNCTION void second_along_z(const Block& block, Complex* plane, Complex* data) const {
        constexpr int tile = cut.rows * cut.columns;
        for (Walk<cut.rows * cut.z1, Block::size> at(block.rank()); at.item < N * cut.z1;
             at.next()) {
            const int p = at.column % cut.columns + at.column / tile * cut.columns;
            const int slot = at.column / cut.columns % cut.rows + cut.rows * at.row;
            Complex v[cut.z2];
            scores_of_item(data, slot, p, v);
            float low = Kokkos::reduction_identity<float>::min();
            TESSERA_UNROLL
            for (int q = 0; q < cut.z2; ++q) {
                low = Kokkos::fmin(low, v[q].real());
                low = Kokkos::fmin(low, v[q].imag());
            }
            if (plane != nullptr) write_item(plane, slot, p, v);
            low_of(data, slot, p) = low;
        }
    }

    KOKKOS_FUNCTION static void write_item(Complex* plane, int slot, int p,
                                           const Complex (&v)[cut.z2]) {
        Complex* out = plane + y_of(slot) * Shape::row + p;
        TESSERA_UNROLL
        for (int q = 0; q < cut.z2; ++q) out[cut.z1 * q] = v[q];
    }

    template <class Block>
    KOKKOS_FUNCTION void cell_minima(const Block& block, Complex* data, float* out) const {
        for (int slot = block.rank(); slot < N; slot += block.size) {
            float low = low_of(data, slot, 0);
            TESSERA_UNROLL
            for (int p = 1; p < cut.z1; ++p) low = Kokkos::fmin(low, low_of(data, slot, p));
            low_of(data, slot, 0) = low;
        }
        block.barrier();
        const CellShape cells{N};
        for (int cell = block.rank(); cell < cells.groups(); cell += block.size) {
            float low = Kokkos::reduction_identity<float>::min();
            const int first = cells.row_begin(cell);
            for (int y = first; y < first + cells.row_count(cell); ++y)
                low = Kokkos::fmin(low, low_of(data, slot_of(y), 0));
            out[cell] = low_of(data, slot_of(first), 0) = low;
        }
    }

    /// Repeats the last stage for the cells that are not above the limit, a warp for each.
    template <class Block>
    KOKKOS_FUNCTION void write_cells(const Block& block, Complex* data, float limit,
                                     Complex* plane) const {
        constexpr int lanes = Block::size < 32 ? 1 : 32, warps = Block::size / lanes;
        constexpr CellShape cells{N};
        if (block.rank() >= warps * lanes) return;
        for (int cell = block.rank() / lanes; cell < cells.groups(); cell += warps) {
            const int first = cells.row_begin(cell), items = cells.row_count(cell) * cut.z1;
            if (low_of(data, slot_of(first), 0) > limit) continue;
            for (int item = block.rank() % lanes; item < items; item += lanes) {
                const int slot = slot_of(first + item / cut.z1), p = item % cut.z1;
                Complex v[cut.z2];
                scores_of_item(data, slot, p, v);
                write_item(plane, slot, p, v);
            }
        }
    }
};

}  // namespace tessera::kernels
