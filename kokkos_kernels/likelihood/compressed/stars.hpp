// Densities at the stars and the sums of their logarithms on a GPU, where each thread has a star.
// host_stars.hpp does the same on a host.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/likelihood/compressed/star_work.hpp"

namespace tessera::kernels::compressed {

/// Tracks need many registers. Models without them have kernels of their own.
template <class Line, bool Disk, bool Gradient, bool Tracks>
struct StarKernel : StarWork {
    static constexpr int threads = stars_a_block, blocks_per_unit = 8, shared_bytes = 128;
    static constexpr int warp = 32;
    /// Rows of `out` for each chunk: a warp writes the sums of its stars.
    static constexpr int rows = threads / warp;

    /// Of a straight stream its sum, and for the gradient the two other moments. Of a track its
    /// value and derivatives.
    static constexpr int moments_a_stream = Tracks ? 2 + track_shifts : Gradient ? 3 : 1;

    double* scratch;  // [block][stream][moments_a_stream][thread]

    KOKKOS_FORCEINLINE_FUNCTION int scratch_size() const {
        return moments_a_stream * layout.streams * threads;
    }

    /// The moments of the streams at a thread's star.
    struct Moments {
        double* at;
        KOKKOS_FORCEINLINE_FUNCTION double& operator()(int stream, int moment) const {
            return at[(stream * moments_a_stream + moment) * threads];
        }
    };

    /// Adds what the threads of a warp put there.
    struct WarpSums {
        double* to;
        bool counts, first;  ///< whether this thread's star counts, and whether it writes the sum
        KOKKOS_FORCEINLINE_FUNCTION void put(int i, double value) const {
            const double sum = warp_sum(counts ? value : 0.0);
            if (first) to[i] = sum;
        }
    };

    /// Threads beyond the last star repeat it, and their sums do not count.
    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const int set = block.index / chunks, chunk = block.index % chunks;
        const int place = chunk * stars_a_block + block.rank();
        const bool counts = place < stars.count;
        const int row = block.index * rows + block.rank() / warp;
        const WarpSums to{out + static_cast<std::size_t>(row) *
                                    static_cast<std::size_t>(size_with<Line, Gradient>(layout)),
                          counts, block.rank() % warp == 0};
        const auto first =
            static_cast<std::size_t>(block.index) * static_cast<std::size_t>(scratch_size());
        const Moments moments{scratch + first + block.rank()};
        add_star(set, stars.order[counts ? place : stars.count - 1], moments, to);
    }

    /// Components of a star: value and error times W_k / (I_k sum W).
    struct StarTerms {
        double background = 0, halo = 0, disk = 0, by[Line::slopes] = {};
        double density = 0, error = 0;
        std::conditional_t<Line::disks && Gradient, DiskMoments, NoDiskMoments> of_disk;
    };

    KOKKOS_FORCEINLINE_FUNCTION void add_star(int set, int star, const Moments& moments,
                                              const WarpSums& to) const {
        const double* scale = per_integral + set * (1 + layout.streams);
        const StreamValues* of_set = streams + set * layout.streams;
        StarTerms terms = background_terms(set, star, scale[0] * factor(set, star, 0));
        // What is left out must be negligible even beside the background alone.
        const bool leave_out = terms.background > leaving_out * backgrounds[set].floor;
        for (int s = 0; s < layout.streams; ++s) {
            const double amount = stars.factor[star] * scale[1 + s] * factor(set, star, 1 + s);
            const double most =
                leave_out ? least_exponents[set * layout.streams + s] : every_exponent;
            double sums[moments_a_stream] = {};
            const double error = add_stream(of_set[s], rules[set], star, most, sums);
            for (int i = 0; i < moments_a_stream; ++i) moments(s, i) = amount * sums[i];
            terms.density += amount * sums[0];
            terms.error += fabs(error * amount);
        }
        add_logarithms(backgrounds[set].floor, set, star, terms, moments, to);
        if constexpr (Gradient) add_gradient(set, star, terms, moments, to);
    }

    KOKKOS_FORCEINLINE_FUNCTION StarTerms background_terms(int set, int star, double scale) const {
        const BackgroundValues& b = backgrounds[set];
        const double factor = stars.factor[star];
        const double* auxiliary = stars.auxiliary + 3 * star;
        BackgroundMoments<Line, Gradient> sums;
        StarTerms terms;
        terms.error = fabs(factor * scale * add_background(b, rules[set], star, sums));
        terms.halo = factor * Lanes::sum(sums.halo) + b.c * auxiliary[0] + b.b * auxiliary[1] +
                     b.a * auxiliary[2];
        if constexpr (Disk) terms.disk = factor * Lanes::sum(sums.disk);
        terms.background = (b.halo * terms.halo + b.disk * terms.disk) * scale;
        terms.density = terms.background;
        if constexpr (Gradient)
            for (int i = 0; i < Line::slopes; ++i) terms.by[i] = factor * Lanes::sum(sums.by[i]);
        if constexpr (Gradient && Line::disks)
            for (int i = 0; i < disk_moments; ++i)
                terms.of_disk.of[i] = factor * Lanes::sum(sums.of_disk[i]);
        return terms;
    }

    /// Adds the panels of a star's line of sight that resolve the background.
    KOKKOS_FORCEINLINE_FUNCTION double
    add_background(const BackgroundValues& b, const PanelRules& rule, int star,
                   BackgroundMoments<Line, Gradient>& sums) const {
        const Line line = Line::of(b, stars.direction + 3 * star);
        std::uint64_t chosen = b.profile == HaloProfile::broken_power_law
                                   ? background_panels<true>(line, rule, star)
                                   : background_panels<false>(line, rule, star);
        double error = 0;
        while (chosen != 0) {
            const int p = take_panel(chosen);
            error += add_background_panel<Disk, Gradient>(
                line, b, nodes(star, p, stars.distance[star], checked(star)), sums);
        }
        return error;
    }

    template <bool Broken>
    KOKKOS_FORCEINLINE_FUNCTION std::uint64_t
    background_panels(const Line& line, const PanelRules& rule, int star) const {
        const double distance = stars.distance[star];
        const BackgroundTest test =
            background_test(line, distance * stars.lower[stars.first_panel]);
        return choose_panels(stars.first_panel, stars.panels, [&](int p) {
            return test.template resolved < Disk && !Broken,
                   Broken > (rule, line, distance * stars.lower[p], distance * stars.middle[p],
                             distance * stars.upper[p], stars.half_width[p]);
        });
    }

    /// Adds a stream along a star's line of sight to the moments `to`, and returns the error.
    KOKKOS_FORCEINLINE_FUNCTION double add_stream(const StreamValues& stream,
                                                  const PanelRules& rule, int star,
                                                  double least_exponent, double* to) const {
        if constexpr (Tracks) {
            if (stream.pieces > 0)
                return add_track<Gradient>(*static_cast<const StarWork*>(this), rule, stream, star,
                                           least_exponent, to);
        }
        StreamMoments<Gradient> sums;
        const double error = add_straight_stream(stream, rule, star, least_exponent, sums);
        to[0] = Lanes::sum(sums.zeroth);
        if constexpr (Gradient) {
            to[1] = Lanes::sum(sums.first);
            to[2] = Lanes::sum(sums.second);
        }
        return error;
    }

    /// Adds the panels that resolve a stream. Panels that do not matter are left out.
    KOKKOS_FORCEINLINE_FUNCTION double add_straight_stream(const StreamValues& stream,
                                                           const PanelRules& rule, int star,
                                                           double least_exponent,
                                                           StreamMoments<Gradient>& sums) const {
        const double distance = stars.distance[star];
        const StreamLine line(stream, stars.direction + 3 * star,
                              distance * stars.lower[stars.first_panel],
                              distance * stars.upper[stars.last_panel]);
        if (!(line.least * line.inverse < least_exponent)) return 0;
        const double nearest = line.steepness * fabs(line.origin - line.closest);
        std::uint64_t chosen = choose_panels(stars.first_panel, stars.panels, [&](int p) {
            return stream_panel(
                rule, {line.closest, line.steepness, nearest},
                {distance * stars.lower[p], distance * stars.upper[p], stars.half_width[p]});
        });
        double error = 0;
        while (chosen != 0) {
            const int p = take_panel(chosen);
            error +=
                add_stream_panel<Gradient>(line, nodes(star, p, distance, checked(star)), sums);
        }
        return error;
    }

    KOKKOS_FORCEINLINE_FUNCTION void add_logarithms(double floor, int set, int star,
                                                    const StarTerms& terms, const Moments& moments,
                                                    const WarpSums& to) const {
        const double log_here = decimal_log(terms.density), inverse = 1 / terms.density;
        if (log_density != nullptr && to.counts)
            log_density[static_cast<std::size_t>(set) * static_cast<std::size_t>(stars.count) +
                        static_cast<std::size_t>(star)] = log_here;
        if (all_terms != nullptr && to.counts) {
            double* of_star = terms_of(set, star);
            of_star[0] = terms.background;
            for (int s = 0; s < layout.streams; ++s) of_star[1 + s] = moments(s, 0);
        }
        to.put(0, log_here);
        to.put(1, log_above(terms.background, floor));
        to.put(2, terms.error * fabs(inverse));
        to.put(layout.shares(), terms.background * inverse);
        for (int s = 0; s < layout.streams; ++s) {
            const double value = moments(s, 0);
            to.put(layout.stream_only() + s, log_above(value, floor));
            to.put(layout.shares() + 1 + s, value * inverse);
        }
    }

    KOKKOS_FORCEINLINE_FUNCTION void add_gradient(int set, int star, const StarTerms& terms,
                                                  const Moments& moments,
                                                  const WarpSums& to) const {
        const BackgroundValues& b = backgrounds[set];
        const double inverse = 1 / terms.density;
        const double unit =
            per_integral[set * (1 + layout.streams)] * factor(set, star, 0) * inverse;
        const double* auxiliary = stars.auxiliary + 3 * star;
        const int by = layout.background();
        to.put(by, (terms.halo - terms.disk) * unit);
        for (int i = 0; i < 4; ++i) to.put(by + 1 + i, b.halo * terms.by[i] * unit);
        for (int i = 0; i < 3; ++i) to.put(by + 5 + i, b.halo * auxiliary[2 - i] * unit);
        for (int i = 4; i < 8; ++i)
            to.put(by + 4 + i, i < Line::slopes ? b.halo * terms.by[i] * unit : 0);
        if constexpr (Line::disks)
            for (int i = 0; i < disk_moments; ++i)
                to.put(layout.size() + i, terms.of_disk.of[i] * unit);
        for (int s = 0; s < layout.streams; ++s) {
            double of_stream[5] = {};
            if (moments(s, 0) != 0) stream_slopes(set, star, s, moments, of_stream);
            for (int i = 0; i < 5; ++i) to.put(layout.stream(s) + i, of_stream[i] * inverse);
        }
    }

    KOKKOS_FORCEINLINE_FUNCTION void stream_slopes(int set, int star, int s, const Moments& moments,
                                                   double (&to)[5]) const {
        const StreamValues& stream = streams[set * layout.streams + s];
        if constexpr (Tracks) {
            if (stream.pieces > 0) {
                for (int i = 0; i < 5; ++i) to[i] = moments(s, 1 + i);
                return;
            }
        }
        const double* e = stars.direction + 3 * star;
        const double distance = stars.distance[star];
        const StreamLine line(stream, e, distance * stars.lower[stars.first_panel],
                              distance * stars.upper[stars.last_panel]);
        stream_gradient(stream, e, line, {moments(s, 0), moments(s, 1), moments(s, 2)}, to);
    }
};

}  // namespace tessera::kernels::compressed
