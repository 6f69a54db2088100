// Densities at the stars and the sums of their logarithms on a GPU, with sixteen lanes per star.
// host_stars.hpp does the same on a host.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/likelihood/compressed/star_work.hpp"

namespace tessera::kernels::compressed {

/// Tracks need many registers. Models without them have kernels of their own.
template <class Line, bool Disk, bool Gradient, bool Tracks>
struct StarKernel : StarWork {
    static constexpr int threads = 256, blocks_per_unit = 2, shared_bytes = 128;

    /// Of a straight stream three moments; of a track its value and derivatives.
    static constexpr int moments_a_stream = Tracks ? 2 + track_shifts : 3;

    double* scratch;  // [block][team][scratch_size()]

    KOKKOS_FORCEINLINE_FUNCTION int scratch_size() const {
        return size() + moments_a_stream * layout.streams;
    }
    KOKKOS_FORCEINLINE_FUNCTION int size() const { return size_with<Line, Gradient>(layout); }

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        constexpr int teams = Block::size < panel_size ? 1 : Block::size / panel_size;
        const int set = block.index / chunks, chunk = block.index % chunks;
        const int team = block.rank() / panel_size;
        const Lanes lanes;
        const auto stride = static_cast<std::size_t>(scratch_size());
        double* all = scratch + static_cast<std::size_t>(block.index) * teams * stride;
        double* mine = all + static_cast<std::size_t>(team) * stride;
        if (lanes.first())
            for (int i = 0; i < size(); ++i) mine[i] = 0;
        const int begin = chunk * stars_a_block;
        const int end = begin + stars_a_block < stars.count ? begin + stars_a_block : stars.count;
        for (int star = begin + team; star < end; star += teams) add_star(lanes, set, star, mine);
        block.barrier();
        double* to = out + static_cast<std::size_t>(block.index) * static_cast<std::size_t>(size());
        for (int i = block.rank(); i < size(); i += Block::size) {
            double sum = 0;
            for (int t = 0; t < teams; ++t) sum += all[static_cast<std::size_t>(t) * stride + i];
            to[i] = sum;
        }
    }

    /// Components of a star: value and error times W_k / (I_k sum W).
    struct StarTerms {
        double background = 0, halo = 0, disk = 0, by[Line::slopes] = {};
        double density = 0, error = 0;
        std::conditional_t<Line::disks && Gradient, DiskMoments, NoDiskMoments> of_disk;
    };

    KOKKOS_FORCEINLINE_FUNCTION void add_star(const Lanes& lanes, int set, int star,
                                              double* to) const {
        const double* scale = per_integral + set * (1 + layout.streams);
        const StreamValues* of_set = streams + set * layout.streams;
        double* moments = to + size();  // [stream][moments_a_stream], of lane 0
        StarTerms terms = background_terms(lanes, set, star, scale[0] * factor(set, star, 0));
        // What is left out must be negligible even beside the background alone.
        const bool leave_out = terms.background > leaving_out * backgrounds[set].floor;
        for (int s = 0; s < layout.streams; ++s) {
            const double amount = stars.factor[star] * scale[1 + s] * factor(set, star, 1 + s);
            const double most =
                leave_out ? least_exponents[set * layout.streams + s] : every_exponent;
            if constexpr (Tracks) {
                if (of_set[s].pieces > 0) {
                    add_track_terms(lanes, of_set[s], set, star, most, amount,
                                    moments + moments_a_stream * s, terms);
                    continue;
                }
            }
            StreamMoments<Gradient> sums;
            const double error = add_stream(lanes, of_set[s], rules[set], star, most, sums);
            const double value = amount * lanes.sum(sums.zeroth);
            double first = 0, second = 0;
            if constexpr (Gradient) {
                first = amount * lanes.sum(sums.first);
                second = amount * lanes.sum(sums.second);
            }
            if (lanes.first()) {
                double* mine = moments + moments_a_stream * s;
                mine[0] = value;
                mine[1] = first;
                mine[2] = second;
            }
            terms.density += value;
            terms.error += fabs(error * amount);
        }
        if (!lanes.first()) return;
        add_logarithms(backgrounds[set].floor, set, star, terms, moments, to);
        if constexpr (Gradient) add_gradient(set, star, terms, moments, to);
    }

    KOKKOS_FORCEINLINE_FUNCTION void add_track_terms(const Lanes& lanes, const StreamValues& stream,
                                                     int set, int star, double most, double amount,
                                                     double* mine, StarTerms& terms) const {
        double sums[moments_a_stream] = {};
        const double error = add_track<Gradient>(lanes, *static_cast<const StarWork*>(this),
                                                 rules[set], stream, star, most, sums);
        if (lanes.first())
            for (int i = 0; i < moments_a_stream; ++i) mine[i] = amount * sums[i];
        terms.density += amount * sums[0];
        terms.error += fabs(error * amount);
    }

    KOKKOS_FORCEINLINE_FUNCTION StarTerms background_terms(const Lanes& lanes, int set, int star,
                                                           double scale) const {
        const BackgroundValues& b = backgrounds[set];
        const double factor = stars.factor[star];
        const double* auxiliary = stars.auxiliary + 3 * star;
        BackgroundMoments<Line, Gradient> sums;
        StarTerms terms;
        terms.error = fabs(factor * scale * add_background(lanes, b, rules[set], star, sums));
        terms.halo = factor * lanes.sum(sums.halo) + b.c * auxiliary[0] + b.b * auxiliary[1] +
                     b.a * auxiliary[2];
        if constexpr (Disk) terms.disk = factor * lanes.sum(sums.disk);
        terms.background = (b.halo * terms.halo + b.disk * terms.disk) * scale;
        terms.density = terms.background;
        if constexpr (Gradient)
            for (int i = 0; i < Line::slopes; ++i) terms.by[i] = factor * lanes.sum(sums.by[i]);
        if constexpr (Gradient && Line::disks)
            for (int i = 0; i < disk_moments; ++i)
                terms.of_disk.of[i] = factor * lanes.sum(sums.of_disk[i]);
        return terms;
    }

    /// Adds the panels of a star's line of sight that resolve the background.
    KOKKOS_FORCEINLINE_FUNCTION double
    add_background(const Lanes& lanes, const BackgroundValues& b, const PanelRules& rule, int star,
                   BackgroundMoments<Line, Gradient>& sums) const {
        const Line line = Line::of(b, stars.direction + 3 * star);
        std::uint64_t chosen = b.profile == HaloProfile::broken_power_law
                                   ? background_panels<true>(lanes, line, rule, star)
                                   : background_panels<false>(lanes, line, rule, star);
        double error = 0;
        while (chosen != 0) {
            const int p = take_panel(chosen);
            error += add_background_panel<Disk, Gradient>(
                lanes, line, b, nodes(star, p, stars.distance[star], checked(star)), sums);
        }
        return error;
    }

    template <bool Broken>
    KOKKOS_FORCEINLINE_FUNCTION std::uint64_t
    background_panels(const Lanes& lanes, const Line& line, const PanelRules& rule,
                      int star) const {
        const double distance = stars.distance[star];
        const BackgroundTest test =
            background_test(line, distance * stars.lower[stars.first_panel]);
        return choose_panels(lanes, stars.first_panel, stars.panels, [&](int p) {
            return test.template resolved < Disk && !Broken,
                   Broken > (rule, line, distance * stars.lower[p], distance * stars.middle[p],
                             distance * stars.upper[p], stars.half_width[p]);
        });
    }

    /// Adds the panels that resolve a stream. Panels that do not matter are left out.
    KOKKOS_FORCEINLINE_FUNCTION double add_stream(const Lanes& lanes, const StreamValues& stream,
                                                  const PanelRules& rule, int star,
                                                  double least_exponent,
                                                  StreamMoments<Gradient>& sums) const {
        const double distance = stars.distance[star];
        const StreamLine line(stream, stars.direction + 3 * star,
                              distance * stars.lower[stars.first_panel],
                              distance * stars.upper[stars.last_panel]);
        if (!(line.least * line.inverse < least_exponent)) return 0;
        const double nearest = line.steepness * fabs(line.origin - line.closest);
        std::uint64_t chosen = choose_panels(lanes, stars.first_panel, stars.panels, [&](int p) {
            return stream_panel(
                rule, {line.closest, line.steepness, nearest},
                {distance * stars.lower[p], distance * stars.upper[p], stars.half_width[p]});
        });
        double error = 0;
        while (chosen != 0) {
            const int p = take_panel(chosen);
            error += add_stream_panel<Gradient>(lanes, line,
                                                nodes(star, p, distance, checked(star)), sums);
        }
        return error;
    }

    KOKKOS_FORCEINLINE_FUNCTION void add_logarithms(double floor, int set, int star,
                                                    const StarTerms& terms, const double* moments,
                                                    double* to) const {
        const double log_here = decimal_log(terms.density), inverse = 1 / terms.density;
        if (log_density != nullptr)
            log_density[static_cast<std::size_t>(set) * static_cast<std::size_t>(stars.count) +
                        static_cast<std::size_t>(star)] = log_here;
        if (all_terms != nullptr) {
            double* of_star = terms_of(set, star);
            of_star[0] = terms.background;
            for (int s = 0; s < layout.streams; ++s) of_star[1 + s] = moments[moments_a_stream * s];
        }
        to[0] += log_here;
        to[1] += log_above(terms.background, floor);
        to[2] += terms.error * fabs(inverse);
        to[layout.shares()] += terms.background * inverse;
        for (int s = 0; s < layout.streams; ++s) {
            const double value = moments[moments_a_stream * s];
            to[layout.stream_only() + s] += log_above(value, floor);
            to[layout.shares() + 1 + s] += value * inverse;
        }
    }

    KOKKOS_FORCEINLINE_FUNCTION void add_gradient(int set, int star, const StarTerms& terms,
                                                  const double* moments, double* to) const {
        const BackgroundValues& b = backgrounds[set];
        const double inverse = 1 / terms.density;
        const double unit =
            per_integral[set * (1 + layout.streams)] * factor(set, star, 0) * inverse;
        double* by = to + layout.background();
        by[0] += (terms.halo - terms.disk) * unit;
        for (int i = 0; i < 4; ++i) by[1 + i] += b.halo * terms.by[i] * unit;
        for (int i = 0; i < 3; ++i) by[5 + i] += b.halo * stars.auxiliary[3 * star + 2 - i] * unit;
        for (int i = 4; i < Line::slopes; ++i) by[4 + i] += b.halo * terms.by[i] * unit;
        if constexpr (Line::disks)
            for (int i = 0; i < disk_moments; ++i)
                to[layout.size() + i] += terms.of_disk.of[i] * unit;
        const double* e = stars.direction + 3 * star;
        const double distance = stars.distance[star];
        for (int s = 0; s < layout.streams; ++s) {
            const double* mine = moments + moments_a_stream * s;
            if (mine[0] == 0) continue;
            const StreamValues& stream = streams[set * layout.streams + s];
            if constexpr (Tracks) {
                if (stream.pieces > 0) {
                    for (int i = 0; i < 5; ++i) to[layout.stream(s) + i] += mine[1 + i] * inverse;
                    continue;
                }
            }
            const StreamLine line(stream, e, distance * stars.lower[stars.first_panel],
                                  distance * stars.upper[stars.last_panel]);
            double of_stream[5];
            stream_gradient(stream, e, line, {mine[0], mine[1], mine[2]}, of_stream);
            for (int i = 0; i < 5; ++i) to[layout.stream(s) + i] += of_stream[i] * inverse;
        }
    }
};

}  // namespace tessera::kernels::compressed
