// Sums over the stars of a set on a host thread. It gives StarKernel's numbers, a block of stars at
// a time.
#pragma once

#include <vector>

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/likelihood/compressed/background_of_block.hpp"
#include "kokkos_kernels/likelihood/compressed/stream_of_block.hpp"

namespace tessera::kernels::compressed {

/// Decimal logarithms of any numbers.
inline void decimal_logs(const PerStar& x, PerStar& log) {
    int odd = 0;
    for (int i = 0; i < stars_a_block; ++i) odd |= x[i] > 1e-300 && x[i] < 1e300 ? 0 : 1;
    TESSERA_LANE_LOOP
    for (int i = 0; i < stars_a_block; ++i) log[i] = log_positive(x[i]) * 0.43429448190325182765;
    if (odd != 0)
        for (int i = 0; i < stars_a_block; ++i) log[i] = decimal_log(x[i]);
}

template <class Line, bool Disk, bool Gradient>
struct HostStarKernel : StarWork {
    static constexpr int shared_bytes = 0;
    static constexpr int rows = 1;  ///< of `out` for each chunk

    void operator()(const HostBlock& block) const {
        BlockSums(*this, block.index / chunks, block.index % chunks)
            .write(out + static_cast<std::size_t>(block.index) *
                             static_cast<std::size_t>(size_with<Line, Gradient>(layout)));
    }

    /// The terms of P for every star of a block, times W_k / (I_k sum W), and the sums over them.
    class alignas(64) BlockSums {
      public:
        BlockSums(const StarWork& work, int set, int chunk)
            : block_(work.stars, chunk),
              streams_(static_cast<std::size_t>(work.layout.streams)),
              work_(work),
              values_(work.backgrounds[set]),
              set_(set) {
            const double* scale = work.per_integral + set * (1 + work.layout.streams);
            add_background(scale[0]);
            for (int s = 0; s < work.layout.streams; ++s) add_stream(s, scale[1 + s]);
        }

        void write(double* to) {
            add_logarithms(to);
            if constexpr (Gradient) {
                add_background_gradient(to + work_.layout.background());
                if constexpr (Line::disks) add_disk_gradient(to + work_.layout.size());
                for (int s = 0; s < work_.layout.streams; ++s)
                    add_stream_gradient(s, to + work_.layout.stream(s));
            }
        }

      private:
        /// Derivatives of a stream's densities by the shifts of its track and by sigma.
        struct alignas(64) TrackSlopes {
            PerStar by[track_shifts + 1];
        };

        void add_background(double scale) {
            const BackgroundOfBlock<Line, Disk, Gradient> sums(work_, set_, block_);
            for (int i = 0; i < stars_a_block; ++i)
                for (int k = 0; k < 3; ++k)
                    auxiliary_[k][i] = work_.stars.auxiliary[3 * block_.star(i) + k];
            set_factors(0);
            for (int i = 0; i < stars_a_block; ++i) background_scale_[i] = scale * observed_[i];
            TESSERA_LANE_LOOP
            for (int i = 0; i < stars_a_block; ++i) {
                const double factor = block_.factor[i];
                halo_[i] = factor * sums.halo[i] + values_.c * auxiliary_[0][i] +
                           values_.b * auxiliary_[1][i] + values_.a * auxiliary_[2][i];
                disk_[i] = factor * sums.disk[i];
                background_[i] =
                    (values_.halo * halo_[i] + values_.disk * disk_[i]) * background_scale_[i];
                density_[i] = background_[i];
                error_[i] = fabs(factor * background_scale_[i] * sums.error[i]);
            }
            if constexpr (Gradient)
                for (int k = 0; k < Line::slopes; ++k)
                    for (int i = 0; i < stars_a_block; ++i)
                        by_[k][i] = block_.factor[i] * sums.by[k][i];
            if constexpr (Gradient && Line::disks)
                for (int k = 0; k < disk_moments; ++k)
                    for (int i = 0; i < stars_a_block; ++i)
                        of_disk_[k][i] = block_.factor[i] * sums.of_disk[k][i];
        }

        /// The factors of the densities of a component.
        void set_factors(int component) {
            for (int i = 0; i < stars_a_block; ++i)
                observed_[i] = work_.factor(set_, block_.star(i), component);
        }

        void add_stream(int s, double scale) {
            const int number = set_ * work_.layout.streams + s;
            const double least = work_.least_exponents[number];
            // What is left out must be negligible even beside the background alone.
            const double enough = leaving_out * values_.floor;
            PerStar most_exponent;
            TESSERA_LANE_LOOP
            for (int i = 0; i < stars_a_block; ++i)
                most_exponent[i] = background_[i] > enough ? least : every_exponent;
            if (work_.streams[number].pieces > 0) {
                add_track_terms(s, scale, most_exponent);
                return;
            }
            StreamSums& sums = streams_[static_cast<std::size_t>(s)];
            const StreamOfBlock<Gradient> of(work_, work_.rules[set_], work_.streams[number],
                                             block_, most_exponent, sums);
            set_factors(1 + s);
            TESSERA_LANE_LOOP
            for (int i = 0; i < stars_a_block; ++i) {
                const double amount = block_.factor[i] * scale * observed_[i];
                sums.zeroth[i] *= amount;
                if constexpr (Gradient) {
                    sums.first[i] *= amount;
                    sums.second[i] *= amount;
                }
                density_[i] += sums.zeroth[i];
                error_[i] += fabs(of.error[i] * amount);
            }
        }

        /// A stream with a track, star after star.
        void add_track_terms(int s, double scale, const PerStar& most_exponent) {
            const StreamValues& stream = work_.streams[set_ * work_.layout.streams + s];
            tracks_.resize(streams_.size());
            StreamSums& sums = streams_[static_cast<std::size_t>(s)];
            TrackSlopes& slopes = tracks_[static_cast<std::size_t>(s)];
            set_factors(1 + s);
            for (int i = 0; i < stars_a_block; ++i) {
                double found[2 + track_shifts] = {};
                const double amount = block_.factor[i] * scale * observed_[i];
                const double error =
                    i < block_.count ? add_track<Gradient>(work_, work_.rules[set_], stream,
                                                           block_.star(i), most_exponent[i], found)
                                     : 0;
                sums.zeroth[i] = found[0] * amount;
                for (int k = 0; k <= track_shifts; ++k) slopes.by[k][i] = found[1 + k] * amount;
                density_[i] += sums.zeroth[i];
                error_[i] += fabs(error * amount);
            }
        }

        void add_logarithms(double* to) {
            PerStar log;
            decimal_logs(density_, log);
            if (work_.log_density != nullptr)
                std::copy_n(log.of, block_.count,
                            work_.log_density +
                                static_cast<std::size_t>(set_) *
                                    static_cast<std::size_t>(work_.stars.count) +
                                static_cast<std::size_t>(block_.begin));
            if (work_.all_terms != nullptr) write_terms();
            for (int i = 0; i < stars_a_block; ++i) {
                inverse_[i] = 1 / density_[i];
                error_[i] *= fabs(inverse_[i]);
            }
            to[0] = total(log);
            to[2] = total(error_);
            to[1] = total_above(background_);
            to[work_.layout.shares()] = total_share(background_);
            for (int s = 0; s < work_.layout.streams; ++s) {
                const PerStar& value = streams_[static_cast<std::size_t>(s)].zeroth;
                to[work_.layout.stream_only() + s] = total_above(value);
                to[work_.layout.shares() + 1 + s] = total_share(value);
            }
        }

        void write_terms() const {
            for (int i = 0; i < block_.count; ++i) {
                double* to = work_.terms_of(set_, block_.star(i));
                to[0] = background_[i];
                for (std::size_t s = 0; s < streams_.size(); ++s) to[1 + s] = streams_[s].zeroth[i];
            }
        }

        void add_background_gradient(double* to) {
            PerStar each;
            for (int i = 0; i < stars_a_block; ++i)
                each[i] = (halo_[i] - disk_[i]) * (background_scale_[i] * inverse_[i]);
            to[0] = total(each);
            // q, r0, alpha, delta; a, b, c; the shape of a triaxial halo
            for (int k = 0; k < 3 + Line::slopes; ++k) {
                const PerStar& of = k < 4 ? by_[k] : k < 7 ? auxiliary_[6 - k] : by_[k - 3];
                for (int i = 0; i < stars_a_block; ++i)
                    each[i] = values_.halo * of[i] * (background_scale_[i] * inverse_[i]);
                to[1 + k] = total(each);
            }
            if constexpr (!Line::triaxial) std::fill_n(to + 8, 4, 0.0);
        }

        void add_disk_gradient(double* to) {
            PerStar each;
            for (int k = 0; k < disk_moments; ++k) {
                for (int i = 0; i < stars_a_block; ++i)
                    each[i] = of_disk_[k][i] * (background_scale_[i] * inverse_[i]);
                to[k] = total(each);
            }
        }

        void add_stream_gradient(int s, double* to) {
            const StreamValues stream = work_.streams[set_ * work_.layout.streams + s];
            const StreamSums& sums = streams_[static_cast<std::size_t>(s)];
            if (stream.pieces > 0) {
                add_track_gradient(tracks_[static_cast<std::size_t>(s)], to);
                return;
            }
            const double low = work_.stars.lower[work_.stars.first_panel];
            const double high = work_.stars.upper[work_.stars.last_panel];
            PerStar each[5];
            TESSERA_LANE_LOOP
            for (int i = 0; i < stars_a_block; ++i)
                stream_gradient_of(i, stream, sums, low, high, each);
            for (int k = 0; k < 5; ++k) to[k] = total(each[k]);
        }

        void add_track_gradient(const TrackSlopes& slopes, double* to) const {
            PerStar each;
            for (int k = 0; k <= track_shifts; ++k) {
                for (int i = 0; i < stars_a_block; ++i) each[i] = slopes.by[k][i] * inverse_[i];
                to[k] = total(each);
            }
        }

        [[gnu::always_inline]] inline void stream_gradient_of(int i, const StreamValues& stream,
                                                              const StreamSums& sums, double low,
                                                              double high, PerStar (&to)[5]) const {
            const StreamLine line = block_.stream_line(i, stream, low, high);
            const double e[3] = {block_.e[0][i], block_.e[1][i], block_.e[2][i]};
            double by[5];
            stream_gradient(stream, e, line, {sums.zeroth[i], sums.first[i], sums.second[i]}, by);
            for (int k = 0; k < 5; ++k) to[k][i] = sums.zeroth[i] == 0 ? 0.0 : by[k] * inverse_[i];
        }

        /// Sums over the stars that exist.
        double total(PerStar& value) const {
            std::fill(value.of + block_.count, value.of + stars_a_block, 0.0);
            return value.sum();
        }

        /// Sums StarWork::log_above over the stars.
        double total_above(const PerStar& value) const {
            const double floor = values_.floor;
            PerStar present, log;
            for (int i = 0; i < stars_a_block; ++i)
                present[i] = fabs(value[i]) < floor ? 1.0 : value[i];
            decimal_logs(present, log);
            for (int i = 0; i < stars_a_block; ++i)
                log[i] = fabs(value[i]) < floor ? -241.0 : log[i];
            return total(log);
        }

        double total_share(const PerStar& value) const {
            PerStar share;
            for (int i = 0; i < stars_a_block; ++i) share[i] = value[i] * inverse_[i];
            return total(share);
        }

        PerStar auxiliary_[3], halo_, disk_, by_[Line::slopes], background_, density_, error_,
            inverse_, observed_, background_scale_;
        PerDisk<Line, Gradient> of_disk_;
        BlockStars block_;
        std::vector<StreamSums> streams_;
        std::vector<TrackSlopes> tracks_;  // empty if all streams are straight
        const StarWork& work_;
        const BackgroundValues values_;
        int set_;
    };
};

}  // namespace tessera::kernels::compressed
