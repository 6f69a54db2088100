// Which segments of nodes can be left out. Bounds on the exponents say where terms no longer count.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "kokkos_kernels/likelihood/exact/density_terms.hpp"
#include "kokkos_kernels/likelihood/exact/radial_segments.hpp"

namespace tessera::kernels {

/// Points of a stream are left out if all of them together are below 2^-50 of its integral. Points
/// of the disk are left out where it is below 2^-57 of the halo.
inline constexpr double stream_margin_bits = 50, disk_margin_bits = 57;
inline constexpr double never_skip = 1e300;

class SkipBounds {
  public:
    SkipBounds(const std::vector<SegmentSpan>& spans, const AreaTables& area,
               const ColumnsView& host_columns)
        : spans_(spans), area_(area), columns_(host_columns) {
        for (const double w : area.weight) {
            total_weight_ += w;
            all_positive_ = all_positive_ && w >= 0;
        }
        double across = 0;
        for (const double w : area.nu_weight) across += w;
        total_weight_ *= across * static_cast<double>(area.mu_cos.size());
    }

    /// [term][segment]: the exponent, in bits, beyond which the term does not count there.
    std::vector<double> of(const std::vector<DensityTerm>& terms) const {
        std::vector<double> bounds(terms.size() * spans_.size(), never_skip);
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const auto row = bounds.begin() + static_cast<std::ptrdiff_t>(i * spans_.size());
            if (terms[i].kind == TermKind::stream || terms[i].kind == TermKind::track)
                std::fill_n(row, spans_.size(), stream_bound(terms[i]));
            else if (terms[i].kind == TermKind::disk || terms[i].kind == TermKind::own_disk)
                for (std::size_t s = 0; s < spans_.size(); ++s)
                    row[static_cast<std::ptrdiff_t>(s)] =
                        disk_bound(terms[0], terms[i], spans_[s].high);
        }
        return bounds;
    }

  private:
    /// L is a lower bound of the integral, and W the weight of all its points. Points beyond log2(W
    /// / L) + 50 bits add less than W 2^-(log2(W / L) + 50) = 2^-50 L. L is what some columns alone
    /// contribute at least.
    double stream_bound(const DensityTerm& term) const {
        if (!all_positive_) return never_skip;
        const std::int64_t all = area_.columns();
        const auto nu_steps = static_cast<std::int64_t>(area_.nu_cos.size());
        const auto mu_steps = all / nu_steps;
        const std::int64_t mu_stride = std::max<std::int64_t>(1, mu_steps / 64);
        const std::int64_t nu_stride = std::max<std::int64_t>(1, nu_steps / 4);
        std::vector<std::int64_t> some;
        for (std::int64_t mu = mu_stride / 2; mu < mu_steps; mu += mu_stride)
            for (std::int64_t nu = nu_stride / 2; nu < nu_steps; nu += nu_stride)
                some.push_back(mu * nu_steps + nu);
        std::vector<double> parts(some.size());
#pragma omp parallel for schedule(static) if (some.size() * spans_.size() > 16384)
        for (std::size_t i = 0; i < some.size(); ++i) parts[i] = column_at_least(term, some[i]);
        const double least = std::accumulate(parts.begin(), parts.end(), 0.0);
        return least > 0 ? std::log2(total_weight_ / least) + stream_margin_bits : never_skip;
    }

    double column_at_least(const DensityTerm& term, std::int64_t column) const {
        const DeviceVec direction = columns_.direction(static_cast<int>(column));
        const Quadratic<double> q = term.along(direction);
        double least = 0;
        for (const SegmentSpan& span : spans_) {
            const double track = term.kind == TermKind::track
                                     ? TrackSpan(term, direction, span.low, span.high).most
                                     : 0;
            least += span.weight * std::exp2(-q.largest(span.low, span.high) - track * track);
        }
        return least * columns_.weight(static_cast<int>(column));
    }

    /// The halo is smallest where rg is largest, and rg <= (|Sun| + r) max(1, 1/p, 1/q).
    static double disk_bound(const DensityTerm& halo, const DensityTerm& disk, double r) {
        if (halo.kind != TermKind::hernquist || !(halo.factor > 0)) return never_skip;
        if (disk.factor == 0) return never_skip;
        const double rg = (std::sqrt(halo.start.dot(halo.start)) + r) * halo.stretch;
        const double least = halo.factor / (rg * std::pow(rg + halo.core, 3));
        return disk_margin_bits - std::log2(least / disk.factor);
    }

    const std::vector<SegmentSpan>& spans_;
    const AreaTables& area_;
    const ColumnsView& columns_;
    double total_weight_ = 0;
    bool all_positive_ = true;
};

}  // namespace tessera::kernels
