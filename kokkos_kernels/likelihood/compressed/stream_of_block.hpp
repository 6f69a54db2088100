// A stream's densities at the stars of a block, on a host thread.
#pragma once

#include "kokkos_kernels/likelihood/compressed/star_block.hpp"

namespace tessera::kernels::compressed {

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
                return stream_panel(rule_, {closest_[i], steepness_[i], nearest},
                                    {block_.distance[i] * low, block_.distance[i] * high, half});
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
        const int star = block_.star(i);
        const StreamProfile line{origin_[i], slope2_[i], tilt_[i], least_[i], inverse_};
        StreamMoments<Gradient> sums;
        double off = 0;
        while (chosen != 0) {
            const int p = take_panel(chosen);
            off += add_stream_panel<Gradient>(
                line, work_.nodes(star, p, block_.distance[i], Checked), sums);
        }
        error[i] = off;
        to.zeroth[i] = Lanes::sum(sums.zeroth);
        if constexpr (Gradient) {
            to.first[i] = Lanes::sum(sums.first);
            to.second[i] = Lanes::sum(sums.second);
        }
    }
};

}  // namespace tessera::kernels::compressed
