// Adds up boxes to integrals, and blocks of stars to sums over all stars, in a fixed order.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/likelihood/compressed/lane_math.hpp"

namespace tessera::kernels::compressed {

/// The sum of `count` numbers `stride` apart by all threads of a block, valid on the first thread.
template <class Block>
KOKKOS_INLINE_FUNCTION double block_sum(const Block& block, const double* values, int count,
                                        int stride, double* shared) {
    double sum = 0;
    for (int i = block.rank(); i < count; i += Block::size)
        sum += values[static_cast<std::size_t>(i) * static_cast<std::size_t>(stride)];
    shared[block.rank()] = sum;
    block.barrier();
    for (int step = Block::size / 2; step > 0; step /= 2) {
        if (block.rank() < step) shared[block.rank()] += shared[block.rank() + step];
        block.barrier();
    }
    const double total = shared[0];
    block.barrier();
    return total;
}

/// Sums the areas of a component, and forms its integral and what the stars need from it. A block
/// takes a set and component, each with `Sums` numbers.
template <int Sums>
struct IntegralKernel {
    static constexpr int threads = 128, blocks_per_unit = 4;
    static constexpr int shared_bytes = threads * sizeof(double);

    const double* boxes;  // [task][sums]
    const int* first_task;
    const BackgroundValues* backgrounds;
    const StreamValues* streams;
    const double* given;     // [set][component], NaN: the sum over boxes
    double* areas;           // [set][component][area][sums]
    double* integrals;       // [set][component]
    double* per_integral;    // [set][component]
    double* least_exponent;  // [set][stream]
    double star_mass;        // largest sum of |weight| times |factor| of a star
    int components, area_count, wedge_areas;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        auto* shared = static_cast<double*>(block.shared);
        const int set = block.index / components, component = block.index % components;
        double integral = 0;
        for (int a = 0; a < area_count; ++a) {
            const int group = block.index * area_count + a;
            const int first = first_task[group], count = first_task[group + 1] - first;
            double of_area[Sums];
            for (int i = 0; i < Sums; ++i)
                of_area[i] = block_sum(block,
                                       boxes + static_cast<std::size_t>(first) * Sums +
                                           static_cast<std::size_t>(i),
                                       count, Sums, shared);
            if (block.rank() == 0)
                for (int i = 0; i < Sums; ++i)
                    areas[static_cast<std::size_t>(group) * Sums + static_cast<std::size_t>(i)] =
                        of_area[i];
            const BackgroundValues& b = backgrounds[set];
            const double part = component == 0
                                    ? b.halo * of_area[halo_sum] + b.disk * of_area[disk_sum]
                                    : of_area[stream_sum];
            integral += a < wedge_areas ? part : -part;
        }
        if (block.rank() == 0) finish(set, component, integral);
    }

    KOKKOS_INLINE_FUNCTION void finish(int set, int component, double integral) const {
        const int at = set * components + component;
        if (component == 0) integral += backgrounds[set].auxiliary_integral;
        if (given[at] == given[at]) integral = given[at];
        integrals[at] = integral;
        const BackgroundValues& b = backgrounds[set];
        if (component == 0) {
            per_integral[at] = b.fraction / integral;
            return;
        }
        const int stream = set * (components - 1) + component - 1;
        per_integral[at] = streams[stream].fraction / integral;
        // Beyond this exponent, a star has less than 1e-3 of the density that counts as absent.
        least_exponent[stream] = log(fabs(per_integral[at]) * star_mass / (1e-3 * b.floor));
    }
};

/// Sums all rows of stars. There is one block for each set and number.
struct StarSumKernel {
    static constexpr int threads = 128, blocks_per_unit = 4;
    static constexpr int shared_bytes = threads * sizeof(double);

    const double* rows;  // [set][row][size]
    double* out;         // [set][size]
    int row_count, size;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const int set = block.index / size, number = block.index % size;
        const auto first = static_cast<std::size_t>(set) * static_cast<std::size_t>(row_count) *
                               static_cast<std::size_t>(size) +
                           static_cast<std::size_t>(number);
        const double sum =
            block_sum(block, rows + first, row_count, size, static_cast<double*>(block.shared));
        if (block.rank() == 0) out[block.index] = sum;
    }
};

}  // namespace tessera::kernels::compressed
