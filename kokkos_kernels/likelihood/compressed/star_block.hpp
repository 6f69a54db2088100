// Densities at the stars on a host thread, a block of stars at a time. Work for every star goes
// over the stars with vectors, and a sum over a panel goes over its nodes. GCC vectorises such a
// loop if its body is a single always-inlined function and the loop itself is in a function that is
// never inlined.
#pragma once

#include <algorithm>

#include "kokkos_kernels/likelihood/compressed/star_work.hpp"

namespace tessera::kernels::compressed {

/// One number for each star of a block.
struct PerStar {
    double of[stars_a_block];
    double& operator[](int i) { return of[i]; }
    double operator[](int i) const { return of[i]; }

    /// Sum in a fixed order, whatever the vectors' length.
    double sum() const {
        double part[8] = {};
        for (int i = 0; i < stars_a_block; i += 8)
            for (int j = 0; j < 8; ++j) part[j] += of[i + j];
        return ((part[0] + part[4]) + (part[2] + part[6])) +
               ((part[1] + part[5]) + (part[3] + part[7]));
    }
};

/// The panels of each star of a block, one bit each.
class alignas(64) PanelChoice {
  public:
    explicit PanelChoice(const StarPointers& stars) : stars_(stars) {}

    /// `test(panel)(i)` is the result of stream_panel() for star i of the block.
    template <class Test>
    void choose(const Test& test) {
        std::fill_n(good_, stars_a_block, 0);
        std::fill_n(absent_, stars_a_block, 0);
        for (int base = 0; base < stars_.panels; base += panel_size) {
            PerStar code = {};  // bits as exact sums of powers of two
            const int end = std::min(base + panel_size, stars_.panels);
            for (int p = std::max(base, stars_.first_panel); p < end; ++p) {
                const double bit = lane_bit(p - base);
                const auto of_panel = test(p);
                TESSERA_LANE_LOOP
                for (int i = 0; i < stars_a_block; ++i) code[i] += of_panel(i) * bit;
            }
            add_bits(code, base);
        }
        take_uncovered();
    }

    std::uint64_t operator[](int i) const { return good_[i]; }

  private:
    void add_bits(const PerStar& code, int base) {
        TESSERA_LANE_LOOP
        for (int i = 0; i < stars_a_block; ++i) {
            // Reads a whole number below 2^52 from its bits, because few vector units convert
            // 64-bit integers.
            const auto bits = std::bit_cast<std::uint64_t>(code[i] + 4503599627370496.0);
            good_[i] |= (bits & 0xffffU) << base;
            absent_[i] |= (bits >> 16 & 0xffffU) << base;
        }
    }

    /// Keeps panels that are good, not absent, and not below a panel that is good.
    void take_uncovered() {
        alignas(64) std::uint64_t covered[stars_a_block] = {};
        for (int p = stars_.first_panel; 2 * p < stars_.panels; ++p) {
            TESSERA_LANE_LOOP
            for (int i = 0; i < stars_a_block; ++i) {
                const std::uint64_t below = (good_[i] | covered[i]) >> p & 1;
                covered[i] |= (below | below << 1) << (2 * p);
            }
        }
        TESSERA_LANE_LOOP
        for (int i = 0; i < stars_a_block; ++i) good_[i] &= ~covered[i] & ~absent_[i];
    }

    std::uint64_t good_[stars_a_block], absent_[stars_a_block];
    const StarPointers& stars_;
};

/// Places of the stars of a block. An incomplete block repeats its last star.
struct alignas(64) BlockStars {
    BlockStars(const StarPointers& all, int chunk)
        : begin(chunk * stars_a_block), count(std::min(stars_a_block, all.count - begin)) {
        for (int i = 0; i < stars_a_block; ++i) {
            const int s = star(i);
            for (int k = 0; k < 3; ++k) e[k][i] = all.direction[3 * s + k];
            distance[i] = all.distance[s];
            factor[i] = all.factor[s];
        }
    }

    int star(int i) const { return begin + std::min(i, count - 1); }

    [[gnu::always_inline]] inline StreamLine stream_line(int i, const StreamValues& stream,
                                                         double low, double high) const {
        const double direction[3] = {e[0][i], e[1][i], e[2][i]};
        return {stream, direction, distance[i] * low, distance[i] * high};
    }

    PerStar e[3], distance, factor;
    int begin, count;
};

/// Sums of the background's densities along the lines of sight of a block.
template <bool Disk, bool Gradient>
class alignas(64) BackgroundOfBlock {
  public:
    BackgroundOfBlock(const StarWork& work, int set, const BlockStars& block)
        : panels_(work.stars),
          work_(work),
          block_(block),
          rule_(work.rules[set]),
          values_(work.backgrounds[set]) {
        place_lines();
        if (values_.profile == HaloProfile::broken_power_law)
            choose<true>();
        else
            choose<false>();
        add_stars();
    }

    PerStar halo, disk, by[4], error;  ///< in units of the star's factor

  private:
    PerStar flat_z_, disk_z_, slope2_, axis_slope2_, fold_, closest_, nearest_;
    PanelChoice panels_;
    const StarWork& work_;
    const BlockStars& block_;
    const PanelRules rule_;
    const BackgroundValues values_;

    BackgroundLine line(int i) const {
        return {
            {block_.e[0][i], block_.e[1][i], block_.e[2][i]}, flat_z_[i], disk_z_[i], values_.q};
    }

    [[gnu::noinline]] void place_lines() {
        const double begin = work_.stars.lower[work_.stars.first_panel];
        TESSERA_LANE_LOOP
        for (int i = 0; i < stars_a_block; ++i) place_line(i, begin);
    }
    [[gnu::always_inline]] inline void place_line(int i, double begin) {
        const double e[3] = {block_.e[0][i], block_.e[1][i], block_.e[2][i]};
        const BackgroundLine line = background_line(values_, e);
        const BackgroundTest test = background_test(line, block_.distance[i] * begin);
        flat_z_[i] = line.flat_z;
        disk_z_[i] = line.disk_z;
        slope2_[i] = test.slope2;
        axis_slope2_[i] = test.axis_slope2;
        fold_[i] = test.fold;
        closest_[i] = test.closest;
        nearest_[i] = test.nearest;
    }

    template <bool Broken>
    void choose() {
        panels_.choose([this](int p) {
            const StarPointers& s = work_.stars;
            const double low = s.lower[p], middle = s.middle[p], high = s.upper[p];
            const double half = s.half_width[p];
            return [=, this](int i) {
                const BackgroundTest test{slope2_[i], axis_slope2_[i], fold_[i], closest_[i],
                                          nearest_[i]};
                const double distance = block_.distance[i];
                return test.template resolved < Disk && !Broken,
                       Broken > (rule_, line(i), distance * low, distance * middle, distance * high,
                                 half);
            };
        });
    }

    [[gnu::noinline]] void add_stars() {
        for (int i = 0; i < stars_a_block; ++i)
            if (work_.checked(block_.star(i)))
                add_checked(i);
            else
                add_star<false>(i);
    }
    [[gnu::noinline]] void add_checked(int i) { add_star<true>(i); }

    template <bool Checked>
    [[gnu::always_inline]] inline void add_star(int i) {
        const Lanes lanes;
        const int star = block_.star(i);
        const BackgroundLine of_star = line(i);
        BackgroundMoments<Gradient> sums;
        double off = 0;
        for (std::uint64_t chosen = panels_[i]; chosen != 0;) {
            const int p = take_panel(chosen);
            const double* row = work_.stars.row(star, p);
            off += add_background_panel<Disk, Gradient>(
                lanes, of_star, values_, work_.stars.ratio + p * panel_size, block_.distance[i],
                row, Checked ? row + panel_size : nullptr, work_.tail, sums);
        }
        error[i] = off;
        halo[i] = lanes.sum(sums.halo);
        disk[i] = Disk ? lanes.sum(sums.disk) : 0;
        if constexpr (Gradient)
            for (int k = 0; k < 4; ++k) by[k][i] = lanes.sum(sums.by[k]);
    }
};

/// Sums of a stream's densities along the lines of sight of a block, about the lines' origins.
struct alignas(64) StreamSums {
    PerStar zeroth, first, second;
};

template <bool Gradient>
class alignas(64) StreamOfBlock {
  public:
    /// The stream is left out for a star whose exponent exceeds its `most_exponent`.
    StreamOfBlock(const StarWork& work, const PanelRules& rule, const StreamValues& stream,
                  const BlockStars& block, const PerStar& most_exponent, StreamSums& sums)
        : panels_(work.stars), work_(work), block_(block), rule_(rule) {
        place_lines(stream);
        choose();
        add_stars(most_exponent, sums);
    }

    PerStar error;  ///< in units of the star's factor

  private:
    PerStar origin_, slope2_, tilt_, least_, closest_, steepness_;
    PanelChoice panels_;
    double inverse_;
    const StarWork& work_;
    const BlockStars& block_;
    const PanelRules rule_;

    [[gnu::noinline]] void place_lines(const StreamValues& of) {
        const StreamValues stream = of;
        const double low = work_.stars.lower[work_.stars.first_panel];
        const double high = work_.stars.upper[work_.stars.last_panel];
        TESSERA_LANE_LOOP
        for (int i = 0; i < stars_a_block; ++i) place_line(i, stream, low, high);
        inverse_ = 0.5 / (stream.sigma * stream.sigma);
    }
    [[gnu::always_inline]] inline void place_line(int i, const StreamValues& stream, double low,
                                                  double high) {
        const StreamLine line = block_.stream_line(i, stream, low, high);
        origin_[i] = line.origin;
        slope2_[i] = line.slope2;
        tilt_[i] = line.tilt;
        least_[i] = line.least;
        closest_[i] = line.closest;
        steepness_[i] = line.steepness;
    }

    void choose() {
        panels_.choose([this](int p) {
            const StarPointers& s = work_.stars;
            const double low = s.lower[p], high = s.upper[p], half = s.half_width[p];
            return [=, this](int i) {
                const double nearest = steepness_[i] * fabs(origin_[i] - closest_[i]);
                return stream_panel(rule_, closest_[i], steepness_[i], nearest,
                                    block_.distance[i] * low, block_.distance[i] * high, half);
            };
        });
    }

    [[gnu::noinline]] void add_stars(const PerStar& most_exponent, StreamSums& to) {
        for (int i = 0; i < stars_a_block; ++i) {
            const std::uint64_t chosen = least_[i] * inverse_ < most_exponent[i] ? panels_[i] : 0;
            error[i] = to.zeroth[i] = to.first[i] = to.second[i] = 0;
            if (chosen == 0) continue;
            if (work_.checked(block_.star(i)))
                add_checked(i, chosen, to);
            else
                add_star<false>(i, chosen, to);
        }
    }
    [[gnu::noinline]] void add_checked(int i, std::uint64_t chosen, StreamSums& to) {
        add_star<true>(i, chosen, to);
    }

    template <bool Checked>
    [[gnu::always_inline]] inline void add_star(int i, std::uint64_t chosen, StreamSums& to) {
        const Lanes lanes;
        const int star = block_.star(i);
        const StreamProfile line{origin_[i], slope2_[i], tilt_[i], least_[i], inverse_};
        StreamMoments<Gradient> sums;
        double off = 0;
        while (chosen != 0) {
            const int p = take_panel(chosen);
            const double* row = work_.stars.row(star, p);
            off += add_stream_panel<Gradient>(
                lanes, line, work_.stars.ratio + p * panel_size, block_.distance[i], row,
                Checked ? row + panel_size : nullptr, work_.tail, sums);
        }
        error[i] = off;
        to.zeroth[i] = lanes.sum(sums.zeroth);
        if constexpr (Gradient) {
            to.first[i] = lanes.sum(sums.first);
            to.second[i] = lanes.sum(sums.second);
        }
    }
};

}  // namespace tessera::kernels::compressed
