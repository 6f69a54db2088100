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
    { 48,  8,  6,  8,  3,  1,  8, 128,  6,  8, {8, 8, 4, 1}, {8, 4, 1, 1}},
    { 54,  9,  6,  9,  3,  1,  9, 160,  6,  9, {4, 8, 4, 1}, {8, 3, 2, 2}},
    { 60, 10,  6, 10,  3,  1, 10, 160,  6, 10, {8, 6, 4, 1}, {8, 3, 2, 2}},
    { 64,  8,  8,  8,  4,  4,  4, 128,  8,  8, {4, 8, 4, 1}, {8, 3, 2, 2}},
    { 72, 12,  6, 12,  3,  1, 12, 128,  8,  9, {4, 8, 4, 1}, {8, 4, 1, 1}},
    { 80, 10,  8,  8,  5,  1,  8, 128,  8, 10, {8, 3, 2, 1}, {8, 2, 1, 1}},
    { 90, 10,  9, 15,  3,  1, 15, 160,  9, 10, {4, 4, 2, 1}, {8, 2, 1, 1}},
    { 96, 12,  8, 16,  3,  1, 16, 192,  8, 12, {8, 4, 4, 1}, {8, 3, 1, 1}},
    {100, 10, 10, 10,  5,  1, 10, 192,  5, 20, {4, 8, 4, 1}, {8, 3, 2, 2}},
    {108, 12,  9, 18,  3,  1, 18, 192,  9, 12, {4, 4, 2, 1}, {8, 2, 1, 2}},
    {112, 14,  8,  8,  7,  1,  8, 192,  8, 14, {4, 3, 2, 1}, {8, 2, 1, 1}},
    {120, 12, 10, 12,  5,  1, 12, 192,  8, 15, {4, 4, 2, 1}, {8, 3, 2, 2}},
    {128, 16,  8, 16,  4,  4,  4, 256,  8, 16, {4, 4, 2, 1}, {8, 2, 1, 1}},
    {140, 14, 10, 14,  5,  1, 14, 320, 10, 14, {8, 4, 2, 1}, {8, 2, 1, 1}},
    {144, 16,  9,  8,  9,  1,  8, 320,  9, 16, {8, 6, 2, 1}, {8, 2, 1, 1}},
    {160, 16, 10, 16,  5,  1, 16, 320, 10, 16, {4, 4, 2, 1}, {8, 2, 1, 1}},
    {168, 14, 12, 12,  7,  1, 12, 352, 12, 14, {8, 4, 2, 1}, {8, 3, 1, 2}},
    {180, 15, 12, 18,  5,  1, 18, 480, 12, 15, {4, 8, 2, 1}, {8, 3, 1, 1}},
    {192, 16, 12, 16,  6,  2,  8, 512, 12, 16, {4, 8, 2, 1}, {8, 3, 1, 1}},
    {200, 20, 10, 20,  5,  1, 20, 512, 10, 20, {4, 8, 2, 1}, {8, 3, 1, 2}},
    {216, 18, 12, 12,  9,  1, 12, 672, 12, 18, {4, 8, 2, 1}, {8, 3, 1, 2}},
    {224, 16, 14, 16,  7,  1, 16, 528, 14, 16, {4, 8, 2, 1}, {8, 3, 1, 2}},
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
