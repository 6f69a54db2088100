// The kernels of the observables of stars: factors of the densities at the stars, and sums of
// slopes. A thread of a device takes a star at a time, and a host thread a group of stars.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/likelihood/exact/sums.hpp"
#include "kokkos_kernels/likelihood/observed/normal.hpp"

namespace tessera::kernels {

/// What all kernels of the observables need. A block takes a chunk of stars.
template <int N, class Device>
struct ObservedWork {
    using Sum = CompensatedSum<double>;
    static constexpr bool host = is_host<Device>;
    static constexpr int threads = host ? 1 : 128, blocks_per_unit = 4;
    static constexpr int shared_bytes = threads * static_cast<int>(sizeof(Sum));
    static constexpr int stars_a_chunk = 512;
    static constexpr int lanes = host ? static_cast<int>(ObservedTable::padding) : 1;
    static_assert(stars_a_chunk % lanes == 0);
    using Lane = double[lanes];

    ObservedColumns columns;
    int stars, populations, streams, chunks;
    const double* distributions;  // [set][population, then stream][distribution_numbers()]
    double* factors;              // [set][star][1 + streams]
    double* shares;  // [set][population][stride] of the background's density, or null: all are 1
    Sum* partials;   // [block][numbers of the kernel]

    KOKKOS_FORCEINLINE_FUNCTION const double* distribution(int set, int which) const {
        return distributions +
               (static_cast<std::size_t>(set) * static_cast<std::size_t>(populations + streams) +
                static_cast<std::size_t>(which)) *
                   static_cast<std::size_t>(distribution_numbers(N));
    }
    KOKKOS_FORCEINLINE_FUNCTION std::size_t row_of(int set, int star) const {
        return (static_cast<std::size_t>(set) * static_cast<std::size_t>(stars) +
                static_cast<std::size_t>(star)) *
               static_cast<std::size_t>(1 + streams);
    }
    KOKKOS_FORCEINLINE_FUNCTION double* share_of(int set, int population, int star) const {
        return shares +
               (static_cast<std::size_t>(set) * static_cast<std::size_t>(populations) +
                static_cast<std::size_t>(population)) *
                   columns.stride +
               static_cast<std::size_t>(star);
    }

    /// Calls action(first star, number of stars) for the groups of a thread.
    template <class Block, class Action>
    KOKKOS_FORCEINLINE_FUNCTION void for_groups(const Block& block, int chunk,
                                                const Action& action) const {
        const int begin = chunk * stars_a_chunk;
        const int end = begin + stars_a_chunk < stars ? begin + stars_a_chunk : stars;
        for (int first = begin + lanes * block.rank(); first < end; first += lanes * Block::size)
            action(first, first + lanes < end ? lanes : end - first);
    }

    /// The sum over the stars of a group, in a fixed order.
    KOKKOS_FORCEINLINE_FUNCTION static double total(const Lane& value) {
        if constexpr (lanes == 1) {
            return value[0];
        } else {
            double part[8] = {};
            for (int i = 0; i < lanes; i += 8)
                for (int j = 0; j < 8; ++j) part[j] += value[i + j];
            return ((part[0] + part[4]) + (part[2] + part[6])) +
                   ((part[1] + part[5]) + (part[3] + part[7]));
        }
    }
};

/// The factors of each star: the densities of its observables in the components, over the largest
/// of them. Sums the natural logarithm of the latter, the scale of a star. A block takes a set and
/// a chunk of stars.
template <int N, class Device>
struct ObservedFactors : ObservedWork<N, Device> {
    using Work = ObservedWork<N, Device>;
    using typename Work::Lane, typename Work::Sum;
    using Work::columns, Work::lanes, Work::populations, Work::streams;

    double* log_scale;  // [set][star], or null

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const int set = block.index / this->chunks;
        Sum sum;
        this->for_groups(block, block.index % this->chunks,
                         [&](int first, int count) { sum.add(add_group(set, first, count)); });
        const Sum all = sum_block(block, sum, static_cast<Sum*>(block.shared));
        if (block.rank() == 0) this->partials[block.index] = all;
    }

  private:
    /// The stars of a group: the logarithm of the background's density, and of the largest one.
    struct Group {
        Lane background, most, bad;
    };

    KOKKOS_FUNCTION double add_group(int set, int first, int count) const {
        Group group;
        add_background(set, first, group);
        Lane log;
        for (int i = 0; i < lanes; ++i) {
            group.most[i] = group.background[i];
            group.bad[i] = 0 * group.background[i];
        }
        double* rows = this->factors + this->row_of(set, first);
        for (int s = 0; s < streams; ++s) {
            log_densities(this->distribution(set, populations + s), first, log);
            take_largest(log, group);
            for (int i = 0; i < count; ++i) rows[i * (1 + streams) + 1 + s] = log[i];
        }
        Lane scale;
        for (int i = 0; i < lanes; ++i) scale[i] = group.most[i] + group.bad[i];
        for (int k = 0; k <= streams; ++k) {
            for (int i = 0; i < count; ++i)
                log[i] = k == 0 ? group.background[i] : rows[i * (1 + streams) + k];
            for (int i = count; i < lanes; ++i) log[i] = 0;
            exponentials(scale, log);
            for (int i = 0; i < count; ++i) rows[i * (1 + streams) + k] = log[i];
        }
        for (int i = 0; i < count; ++i)
            if (log_scale != nullptr)
                log_scale[static_cast<std::size_t>(set) * static_cast<std::size_t>(this->stars) +
                          static_cast<std::size_t>(first + i)] = scale[i];
        for (int i = count; i < lanes; ++i) scale[i] = 0;
        return Work::total(scale);
    }

    /// Adds up the populations, relative to the largest one so far. Stars of which nothing is
    /// measured have density 1.
    KOKKOS_FUNCTION void add_background(int set, int first, Group& group) const {
        Lane sum, log;
        for (int p = 0; p < populations; ++p) {
            const double* of = this->distribution(set, p);
            log_densities(of, first, log);
            if (p == 0)
                for (int i = 0; i < lanes; ++i) group.most[i] = log[i], sum[i] = 1;
            else
                add_population(log, group.most, sum);
            if (this->shares != nullptr)
                for (int i = 0; i < lanes; ++i) this->share_of(set, p, first)[i] = log[i];
        }
        finish_background(first, group.most, sum, group.background);
        for (int p = 0; this->shares != nullptr && p < populations; ++p)
            exponentials(group.background, this->share_of(set, p, first));
    }

    KOKKOS_FUNCTION void log_densities(const double* of, int first, Lane& log) const {
        const ObservedColumns table = columns;
        const ObservedSpreads<N> spreads(of + 1);
        const double share = of[0];
        TESSERA_LANE_LOOP
        for (int i = 0; i < lanes; ++i)
            log[i] = share + ObservedNormal<N>(table, first + i, spreads).log_density();
    }

    KOKKOS_FUNCTION static void add_population(const Lane& log, Lane& most, Lane& sum) {
        TESSERA_LANE_LOOP
        for (int i = 0; i < lanes; ++i) {
            const double above = log[i] - most[i];
            const double smaller = compressed::exp_minus(fabs(above));
            sum[i] = above > 0 ? sum[i] * smaller + 1 : sum[i] + smaller;
            most[i] = above > 0 ? log[i] : most[i] + 0 * log[i];
        }
    }

    KOKKOS_FUNCTION void finish_background(int first, const Lane& most, const Lane& sum,
                                           Lane& background) const {
        TESSERA_LANE_LOOP
        for (int i = 0; i < lanes; ++i) {
            bool measured = false;
            for (int k = 0; k < N; ++k) {
                const double value = columns.at(ObservedTable::value(k), first + i);
                measured = measured | (value == value);
            }
            const double log = most[i] + compressed::log_positive(sum[i]);
            background[i] = measured ? log : 0.0;
        }
    }

    /// `bad` becomes NaN if one of the logarithms is, because a maximum may hide it.
    KOKKOS_FUNCTION static void take_largest(const Lane& log, Group& group) {
        TESSERA_LANE_LOOP
        for (int i = 0; i < lanes; ++i) {
            group.most[i] = log[i] > group.most[i] ? log[i] : group.most[i];
            group.bad[i] += 0 * log[i];
        }
    }

    /// x = exp(x - most).
    KOKKOS_FUNCTION static void exponentials(const Lane& most, double* x) {
        TESSERA_LANE_LOOP
        for (int i = 0; i < lanes; ++i) x[i] = compressed::exp_any(x[i] - most[i]);
    }
};

/// The slope_numbers() of a distribution. A block takes a set, a distribution and a chunk of stars.
template <int N, class Device>
struct ObservedSlopes : ObservedWork<N, Device> {
    using Work = ObservedWork<N, Device>;
    using typename Work::Lane, typename Work::Sum;
    using Work::columns, Work::lanes, Work::populations, Work::streams;
    static constexpr int numbers = slope_numbers(N);

    const double* terms;  // [set][star][1 + streams], in the density of a star

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const int chunk = block.index % this->chunks, row = block.index / this->chunks;
        const int which = row % (populations + streams), set = row / (populations + streams);
        Sum sums[numbers];
        this->for_groups(block, chunk,
                         [&](int first, int count) { add_group(set, which, first, count, sums); });
        Sum* to = this->partials + static_cast<std::size_t>(block.index) * numbers;
        TESSERA_UNROLL_ALL
        for (int k = 0; k < numbers; ++k) {
            const Sum all = sum_block(block, sums[k], static_cast<Sum*>(block.shared));
            if (block.rank() == 0) to[k] = all;
            block.barrier();
        }
    }

  private:
    KOKKOS_FORCEINLINE_FUNCTION void add_group(int set, int which, int first, int count,
                                               Sum (&sums)[numbers]) const {
        Lane weight, of[numbers];
        weights(set, which, first, count, weight);
        slopes(this->distribution(set, which), first, weight, of);
        TESSERA_UNROLL_ALL
        for (int k = 0; k < numbers; ++k) sums[k].add(Work::total(of[k]));
    }

    /// The share of the distribution in the density of each star; 0 beyond `count`.
    KOKKOS_FORCEINLINE_FUNCTION void weights(int set, int which, int first, int count,
                                             Lane& weight) const {
        const int component = which < populations ? 0 : 1 + which - populations;
        for (int i = 0; i < lanes; ++i) {
            weight[i] = 0;
            if (i >= count) continue;
            const double* row = terms + this->row_of(set, first + i);
            double density = 0;
            for (int k = 0; k <= streams; ++k) density += row[k];
            weight[i] = row[component] / density;
            if (component == 0 && this->shares != nullptr)
                weight[i] *= *this->share_of(set, which, first + i);
        }
    }

    KOKKOS_FUNCTION void slopes(const double* distribution, int first, const Lane& weight,
                                Lane (&of)[numbers]) const {
        const ObservedColumns table = columns;
        const ObservedSpreads<N> spreads(distribution + 1);
        TESSERA_LANE_LOOP
        for (int i = 0; i < lanes; ++i) slopes_of_star(table, first + i, spreads, weight[i], i, of);
    }

    KOKKOS_FORCEINLINE_FUNCTION static void slopes_of_star(const ObservedColumns& table, int star,
                                                           const ObservedSpreads<N>& spreads,
                                                           double weight, int i,
                                                           Lane (&of)[numbers]) {
        const ObservedNormal<N> normal(table, star, spreads);
        of[0][i] = weight;
        TESSERA_UNROLL_ALL
        for (int c = 0; c < N; ++c) {
            double pull = 0, narrowing = 0;
            normal.slopes(c, pull, narrowing);
            const double first = weight == 0 ? 0.0 : weight * pull;
            of[1 + spread_numbers * c][i] = first;
            of[2 + spread_numbers * c][i] = first * normal.along;
            of[3 + spread_numbers * c][i] = first * normal.along * normal.along;
            of[4 + spread_numbers * c][i] = weight == 0 ? 0.0 : weight * narrowing;
        }
    }
};

}  // namespace tessera::kernels
