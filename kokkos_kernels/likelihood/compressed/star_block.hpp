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
                const auto bit = static_cast<double>(1 << (p - base));
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

}  // namespace tessera::kernels::compressed
