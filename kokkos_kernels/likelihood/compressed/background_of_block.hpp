// The background's densities at the stars of a block, on a host thread.
#pragma once

#include "kokkos_kernels/likelihood/compressed/star_block.hpp"

namespace tessera::kernels::compressed {

struct NoDisks {};
template <class Line, bool Gradient>
using PerDisk =
    std::conditional_t<Line::disks && Gradient, std::array<PerStar, disk_moments>, NoDisks>;

/// Sums of the background's densities along the lines of sight of a block.
template <class Line, bool Disk, bool Gradient>
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

    PerStar halo, disk, by[Line::slopes], error;  ///< in units of the star's factor
    PerDisk<Line, Gradient> of_disk;

  private:
    PerStar flat_z_, disk_z_, slope2_, axis_slope2_, fold_, closest_, nearest_;
    PanelChoice panels_;
    const StarWork& work_;
    const BlockStars& block_;
    const PanelRules rule_;
    const BackgroundValues values_;

    Line line(int i) const {
        const double e[3] = {block_.e[0][i], block_.e[1][i], block_.e[2][i]};
        if constexpr (Line::triaxial || Line::disks)
            return Line::of(values_, e);
        else
            return {{e[0], e[1], e[2]}, flat_z_[i], disk_z_[i], values_.q, values_.r0 * values_.r0};
    }

    [[gnu::noinline]] void place_lines() {
        const double begin = work_.stars.lower[work_.stars.first_panel];
        TESSERA_LANE_LOOP
        for (int i = 0; i < stars_a_block; ++i) place_line(i, begin);
    }
    [[gnu::always_inline]] inline void place_line(int i, double begin) {
        const double e[3] = {block_.e[0][i], block_.e[1][i], block_.e[2][i]};
        const Line line = Line::of(values_, e);
        const BackgroundTest test = background_test(line, block_.distance[i] * begin);
        if constexpr (!Line::triaxial) {
            flat_z_[i] = line.flat_z;
            disk_z_[i] = line.disk_z;
        }
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
        const int star = block_.star(i);
        const Line of_star = line(i);
        BackgroundMoments<Line, Gradient> sums;
        double off = 0;
        for (std::uint64_t chosen = panels_[i]; chosen != 0;) {
            const int p = take_panel(chosen);
            off += add_background_panel<Disk, Gradient>(
                of_star, values_, work_.nodes(star, p, block_.distance[i], Checked), sums);
        }
        error[i] = off;
        halo[i] = Lanes::sum(sums.halo);
        disk[i] = Disk ? Lanes::sum(sums.disk) : 0;
        if constexpr (Gradient)
            for (int k = 0; k < Line::slopes; ++k) by[k][i] = Lanes::sum(sums.by[k]);
        if constexpr (Gradient && Line::disks)
            for (int k = 0; k < disk_moments; ++k) of_disk[k][i] = Lanes::sum(sums.of_disk[k]);
    }
};

}  // namespace tessera::kernels::compressed
