// Sums over boxes of panels, which give the integrals. A block takes a box, and a thread of it a
// line of sight.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/likelihood/compressed/background.hpp"
#include "kokkos_kernels/likelihood/compressed/stream.hpp"
#include "kokkos_kernels/likelihood/compressed/track_panels.hpp"

namespace tessera::kernels::compressed {

/// An axis on the device (see AxisTable).
struct AxisPointers {
    const double *node, *sine, *weight, *remainder;
};

struct AreaPointers {
    AxisPointers radius, mu, nu;
    const double* sky;  ///< null without a selection function (see AreaTables)
    int nu_panels;

    KOKKOS_INLINE_FUNCTION const double* sky_panel(const BoxTask& task) const {
        return sky + (static_cast<std::size_t>(task.mu) * static_cast<std::size_t>(nu_panels) +
                      static_cast<std::size_t>(task.nu)) *
                         SkyPanel::size;
    }
};

/// Tracks need many registers. Models without them have kernels of their own.
template <class Line, bool Disk, bool Gradient, bool Tracks>
struct BoxKernel {
    static constexpr int directions = panel_size * panel_size;
    static constexpr int threads = directions, blocks_per_unit = 2, warp = 32;
    static constexpr int groups = threads / warp;
    static constexpr int sums = sums_with(Line::disks);
    static constexpr int used =
        Line::disks ? sums : q_sum + Line::slopes;  // of the sums; the others are 0
    struct Shared {
        double of_direction[panel_size][panel_size];  // [mu][nu]
        double of_group[groups][used];
        double of_line[2 * panel_size];
    };
    static constexpr int shared_bytes = sizeof(Shared);

    const BoxTask* tasks;
    const AreaPointers* areas;
    const BackgroundValues* backgrounds;  // [set]
    const StreamValues* streams;          // [set][stream]
    const TrackPiece* tracks;
    const double* tail;  // [2][16]
    double* out;         // [task][sums]
    int streams_a_set;
    double frame[9];

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        auto& shared = *static_cast<Shared*>(block.shared);
        const BoxTask task = tasks[block.index];
        const AreaPointers area = areas[task.area];
        double total[used] = {};
        for (int d = block.rank(); d < directions; d += Block::size)
            shared.of_direction[d / panel_size][d % panel_size] =
                add_direction(task, area, d / panel_size, d % panel_size, total);
        for (int i = 0; i < used; ++i) {
            const double sum = warp_sum(total[i]);
            if (block.rank() % warp == 0) shared.of_group[block.rank() / warp][i] = sum;
        }
        block.barrier();
        for (int i = block.rank(); i < 2 * panel_size; i += Block::size)
            shared.of_line[i] = i < panel_size ? error_along_mu(shared, task, area, i)
                                               : error_along_nu(shared, task, area, i - panel_size);
        block.barrier();
        for (int i = block.rank(); i < sums; i += Block::size) {
            double sum = 0;
            for (int g = 0; i < used && g * warp < Block::size; ++g) sum += shared.of_group[g][i];
            if (i == stream_error)
                for (const double error : shared.of_line) sum += error;
            out[static_cast<std::size_t>(block.index) * sums + static_cast<std::size_t>(i)] = sum;
        }
    }

    /// Adds the line of sight through nodes k of mu and l of nu, and returns its sum over radii.
    KOKKOS_INLINE_FUNCTION double add_direction(const BoxTask& task, const AreaPointers& area,
                                                int k, int l, double* total) const {
        const int mu = task.mu * panel_size + k, nu = task.nu * panel_size + l;
        const double weight = area.sky == nullptr ? area.mu.weight[mu] * area.nu.weight[nu]
                                                  : area.sky_panel(task)[k * panel_size + l];
        if (weight == 0) return 0;
        const double x = area.mu.node[mu] * area.nu.node[nu],
                     y = area.mu.sine[mu] * area.nu.node[nu];
        const double z = area.nu.sine[nu];
        double e[3];
        for (int i = 0; i < 3; ++i) e[i] = frame[i] * x + frame[3 + i] * y + frame[6 + i] * z;
        const double scale = 1 / sqrt(dot3(e, e));
        for (int i = 0; i < 3; ++i) e[i] *= scale;

        const double* radius = area.radius.node + task.radius * panel_size;
        const PanelNodes nodes{radius, 1.0, area.radius.weight + task.radius * panel_size,
                               area.radius.remainder + task.radius * 4, tail};
        double sum[used] = {};
        double value;
        if (task.component == 0) {
            const BackgroundValues& b = backgrounds[task.set];
            BackgroundMoments<Line, Gradient> moments;
            sum[error_sum] =
                add_background_panel<Disk, Gradient>(Line::of(b, e), b, nodes, moments);
            sum[halo_sum] = Lanes::sum(moments.halo);
            value = b.halo * sum[halo_sum];
            if constexpr (Disk) {
                sum[disk_sum] = Lanes::sum(moments.disk);
                value += b.disk * sum[disk_sum];
            }
            if constexpr (Gradient)
                for (int i = 0; i < Line::slopes; ++i) sum[q_sum + i] = Lanes::sum(moments.by[i]);
            if constexpr (Gradient && Line::disks)
                for (int i = 0; i < disk_moments; ++i)
                    sum[compressed::sums + i] = Lanes::sum(moments.of_disk[i]);
        } else {
            const StreamValues& s = streams[task.set * streams_a_set + task.component - 1];
            if constexpr (Tracks) {
                if (s.pieces > 0) {
                    value = add_track(s, e, nodes, sum);
                    return add_weighted(area, weight, sum, value, total);
                }
            }
            const StreamLine line(s, e, radius[0], radius[panel_size - 1]);
            StreamMoments<Gradient> moments;
            sum[stream_error] = add_stream_panel<Gradient>(line, nodes, moments);
            value = sum[stream_sum] = Lanes::sum(moments.zeroth);
            if constexpr (Gradient)
                stream_gradient(s, e, line,
                                {value, Lanes::sum(moments.first), Lanes::sum(moments.second)},
                                sum + mu_sum);
        }
        return add_weighted(area, weight, sum, value, total);
    }

    /// Adds the sums of a direction, and returns its value.
    KOKKOS_INLINE_FUNCTION double add_weighted(const AreaPointers& area, double weight,
                                               const double* sum, double value,
                                               double* total) const {
        for (int i = 0; i < used; ++i) total[i] += weight * sum[i];
        // Weights of a selection function may be negative. Errors add up all the same.
        if (area.sky != nullptr && weight < 0) total[error_sum] -= 2 * weight * sum[error_sum];
        return value;
    }

    /// The sums of a stream with a track along e.
    KOKKOS_INLINE_FUNCTION double add_track(const StreamValues& s, const double* e,
                                            const PanelNodes& nodes, double* sum) const {
        TrackSight sight(s, tracks, e);
        TrackMoments<Gradient> moments;
        sum[stream_error] = sight.add(nodes, moments);
        double all[2 + track_shifts];
        sight.sums(moments, all);
        sum[stream_sum] = all[0];
        if constexpr (Gradient)
            for (int i = 0; i <= track_shifts; ++i) sum[mu_sum + i] = all[1 + i];
        return all[0];
    }

    KOKKOS_INLINE_FUNCTION double error_along_mu(const Shared& shared, const BoxTask& task,
                                                 const AreaPointers& area, int l) const {
        if (area.sky != nullptr)
            return line_error(&shared.of_direction[0][l], panel_size, area.sky_panel(task) + l,
                              panel_size, area.sky_panel(task) + SkyPanel::along_mu + 4 * l);
        return line_error(&shared.of_direction[0][l], panel_size,
                          area.mu.weight + task.mu * panel_size, 1,
                          area.mu.remainder + task.mu * 4) *
               fabs(area.nu.weight[task.nu * panel_size + l]);
    }

    KOKKOS_INLINE_FUNCTION double error_along_nu(const Shared& shared, const BoxTask& task,
                                                 const AreaPointers& area, int k) const {
        if (area.sky != nullptr)
            return line_error(shared.of_direction[k], 1, area.sky_panel(task) + k * panel_size, 1,
                              area.sky_panel(task) + SkyPanel::along_nu + 4 * k);
        return line_error(shared.of_direction[k], 1, area.nu.weight + task.nu * panel_size, 1,
                          area.nu.remainder + task.nu * 4) *
               fabs(area.mu.weight[task.mu * panel_size + k]);
    }

    KOKKOS_INLINE_FUNCTION double line_error(const double* value, int stride, const double* weight,
                                             int weight_stride, const double* remainder) const {
        if (remainder[2] == 0) return 0;
        double even = 0, odd = 0, sum = 0;
        for (int j = 0; j < panel_size; ++j) {
            const double f = value[j * stride];
            even += tail[j] * f;
            odd += tail[panel_size + j] * f;
            sum += weight[j * weight_stride] * f;
        }
        return panel_error(even, odd, sum, remainder);
    }
};

}  // namespace tessera::kernels::compressed
