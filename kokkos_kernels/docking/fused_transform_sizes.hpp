// How the fused transform kernels split a transform of n points. All choices are in one table.
#pragma once

#include <cstdint>

#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::kernels {

/// Largest dynamic shared memory of a block, and of a multiprocessor, on compute capability 9.0.
inline constexpr int max_block_shared = 227 * 1024;
inline constexpr int max_unit_shared = 228 * 1024;
inline constexpr int registers_per_unit = 65536;

/// How a block of the fused sum works: frequency columns per block, orbit members summed at once,
/// bases kept in shared memory, and sums of a thread that pass through shared memory at once.
struct SumCut {
    int width, groups, bases, slots;
};

/// n = y1 * y2 along y, n / 2 = z1 * z2 along z, n = x1 * x2 along x. An odd z2 keeps the last
/// stage free of bank conflicts. If z2 is even, lanes take `rows` rows by `columns` of the z1
/// columns.
struct TransformCut {
    int n;
    int y1, y2, z1, z2, rows, columns, plane_threads;
    int x1, x2;
    SumCut one_set, several_sets;
};

// clang-format off
inline constexpr TransformCut transform_cuts[] = {
    //  n  y1  y2  z1  z2 rows col thr  x1  x2   one set       several sets
    { 48,  8,  6,  4,  6,  2,  4,  96,  6,  8, {8, 8, 4, 1}, {8, 6, 2, 1}},
    { 54,  9,  6,  9,  3,  1,  9, 108,  6,  9, {8, 8, 4, 1}, {8, 4, 1, 1}},
    { 60, 10,  6,  5,  6,  2,  5, 120,  6, 10, {8, 8, 4, 1}, {8, 2, 1, 1}},
    { 64,  8,  8,  4,  8,  8,  2, 128,  8,  8, {8, 8, 4, 1}, {8, 2, 1, 1}},
    { 72, 12,  6,  6,  6,  2,  6, 128,  8,  9, {4, 8, 4, 1}, {8, 2, 1, 1}},
    { 80, 10,  8, 10,  4,  4,  2, 160,  5, 16, {4, 4, 4, 2}, {8, 2, 1, 4}},
    { 90, 10,  9,  5,  9,  1,  5, 160,  9, 10, {8, 8, 2, 1}, {8, 2, 1, 1}},
    { 96, 12,  8,  8,  6,  2,  8, 224,  6, 16, {8, 4, 4, 1}, {8, 3, 2, 2}},
    {100, 10, 10,  5, 10,  2,  5, 256,  5, 20, {8, 4, 2, 2}, {8, 3, 2, 2}},
    {108,  9, 12,  9,  6,  2,  9, 216,  6, 18, {4, 4, 2, 2}, {8, 2, 1, 2}},
    {112,  8, 14,  7,  8,  8,  1, 224,  8, 14, {8, 4, 2, 1}, {8, 2, 1, 1}},
    {120, 12, 10, 10,  6,  2,  5, 320,  8, 15, {4, 4, 2, 1}, {8, 2, 1, 1}},
    {128,  8, 16,  8,  8,  8,  2, 256,  8, 16, {4, 8, 4, 2}, {8, 2, 1, 1}},
    {140, 10, 14, 14,  5,  1, 14, 420, 10, 14, {4, 4, 2, 1}, {8, 2, 1, 1}},
    {144, 12, 12,  8,  9,  1,  8, 432,  9, 16, {8, 6, 2, 1}, {8, 4, 1, 1}},
    {160, 16, 10,  8, 10,  2,  8, 448,  8, 20, {8, 4, 2, 1}, {8, 3, 1, 2}},
    {168, 12, 14,  7, 12,  4,  1, 672, 12, 14, {8, 4, 2, 1}, {8, 4, 1, 1}},
    {180, 15, 12, 15,  6,  2,  5, 630, 12, 15, {4, 8, 2, 1}, {8, 4, 1, 1}},
    {192, 16, 12,  8, 12,  4,  4, 672, 12, 16, {4, 8, 2, 1}, {8, 3, 1, 1}},
    {200, 20, 10, 20,  5,  1, 20, 512, 10, 20, {4, 8, 2, 1}, {8, 3, 1, 1}},
    {216, 18, 12, 12,  9,  1, 12, 648, 12, 18, {4, 8, 2, 1}, {8, 3, 1, 2}},
    {224, 14, 16, 16,  7,  1, 16, 672, 14, 16, {4, 8, 2, 1}, {8, 3, 1, 2}},
    {240, 16, 15,  8, 15,  1,  8, 640, 15, 16, {4, 8, 2, 1}, {8, 2, 1, 2}},
};
// clang-format on

constexpr TransformCut transform_cut(int n) {
    for (const TransformCut& cut : transform_cuts)
        if (cut.n == n) return cut;
    return {};
}

/// Sets that the fused sum of several sets takes at once.
inline constexpr int sets_at_once = 4;

constexpr SumCut sum_cut(int n, int sets) {
    return sets == 1 ? transform_cut(n).one_set : transform_cut(n).several_sets;
}

/// What the kernels of one size know at compile time.
template <int N>
struct TransformShape {
    static constexpr TransformCut cut = transform_cut(N);
    static_assert(cut.n == N && cut.y1 * cut.y2 == N && 2 * cut.z1 * cut.z2 == N &&
                  cut.x1 * cut.x2 == N && N % cut.rows == 0 && cut.z1 % cut.columns == 0);
    static constexpr int half = N / 2;     ///< packed columns along z
    static constexpr int row = N / 2 + 1;  ///< stored columns along z
    static constexpr int plane = N * row;  ///< frequencies of one x
    static constexpr std::int64_t stride = (std::int64_t{N} * plane + 15) / 16 * 16;
};

/// Blocks that fit on a multiprocessor by shared memory. The device takes 1 KB of it per block.
constexpr int blocks_by_shared(int bytes) { return max_unit_shared / (bytes + 1024); }

constexpr int blocks_by_threads(int threads, int registers) {
    const int blocks = registers_per_unit / (threads * registers);
    return blocks < 1 ? 1 : blocks;
}

constexpr int smaller(int a, int b) { return a < b ? a : b; }

/// Whether index `i` of a periodic axis is at most `reach` from 0.
template <int N>
constexpr bool is_near(int i, int reach) {
    return i <= reach || i >= N - reach;
}

}  // namespace tessera::kernels
