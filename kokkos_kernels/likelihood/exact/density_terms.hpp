// The terms of a wedge's densities in the form that kernels take: halo, disk, streams.
#pragma once

#include <algorithm>
#include <vector>

#include "core/units.hpp"
#include "kokkos_kernels/likelihood/exact/likelihood_problem.hpp"
#include "kokkos_kernels/likelihood/exact/sight_line.hpp"

namespace tessera::kernels {

enum class TermKind : int {
    hernquist,
    hernquist_general,
    power_law,
    einasto,
    disk,
    stream,
    track,
    own_disk,  ///< with scales of its own
};

using units::log2_e;
/// Thick disk of the 2018 model, per kpc, in bits. The constant has nine digits, as in the
/// application.
inline constexpr double disk_across_plane = 1.428571429 * log2_e;
inline constexpr double disk_in_plane = 0.285714286 * log2_e;

struct DensityTerm {
    TermKind kind = TermKind::hernquist;
    DeviceVec start;             ///< of the line of sight: the Sun's place in the term's space
    DeviceVec axis;              ///< streams
    double z_scale = 1;          ///< 1/q of the halo, 0 for the disk's distance from the axis
    double stretch = 1;          ///< of the halo: the largest rg per distance from the centre
    bool triaxial = false;       ///< whether to_axes takes the place of z_scale
    DeviceVec to_axes[3];        ///< rows of the matrix whose product with a position has length rg
    double root_scale = 1;       ///< streams: root of log2(e) / (2 sigma^2)
    double core = 0, scale = 0;  ///< of the halo
    double inner = 0, outer = 0;         ///< of the halo; of a disk in bits per kpc of R and |Z|
    const TrackPiece* pieces = nullptr;  ///< tracks, in the memory of the user
    int piece_count = 0;
    double factor = 1;  ///< factor of the sum
    int component = 0;  ///< component that the term belongs to

    /// Squared distance (for streams, the exponent in bits) along a direction. Tracks have none.
    KOKKOS_INLINE_FUNCTION Quadratic<double> along(DeviceVec direction) const {
        if (kind == TermKind::track) return {0, 0, 0};
        if (kind == TermKind::stream)
            return squared_length(start, direction.across(axis), root_scale);
        if (triaxial)
            return squared_length(
                start,
                {to_axes[0].dot(direction), to_axes[1].dot(direction), to_axes[2].dot(direction)},
                1);
        return squared_length(start, {direction.x, direction.y, direction.z * z_scale}, 1);
    }
};

/// The distances of a line of sight from a track between two radii: least and most, in roots of the
/// exponent in bits. A place that moves by a length changes its distance by no more.
struct TrackSpan {
    double least, most;
    KOKKOS_INLINE_FUNCTION TrackSpan(const DensityTerm& term, DeviceVec e, double low,
                                     double high) {
        const double r = (low + high) / 2, half = (high - low) / 2;
        const double x[3] = {r * e.x, r * e.y, r * e.z};
        const double distance =
            Kokkos::sqrt(nearest_on_track(term.pieces, term.piece_count, x, 0).distance2);
        least = distance > half ? term.root_scale * (distance - half) : 0;
        most = term.root_scale * (distance + half);
    }
};

inline TermKind kind_of(HaloProfile profile) {
    switch (profile) {
        case HaloProfile::hernquist: return TermKind::hernquist;
        case HaloProfile::hernquist_general: return TermKind::hernquist_general;
        case HaloProfile::einasto: return TermKind::einasto;
        default: return TermKind::power_law;
    }
}

/// Gives the term the axes of a triaxial halo.
inline void set_axes(const Halo& shape, Vec3 sun, DensityTerm& halo) {
    halo.triaxial = true;
    halo.start = device_vec(shape.to_axes * sun);
    halo.stretch = std::max(halo.stretch, 1 / shape.p);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& row = shape.to_axes[i];
        halo.to_axes[i] = {row[0], row[1], row[2]};
    }
}

/// The disk of the 2018 model.
inline DensityTerm disk_term(const DensityTerm& halo, Vec3 sun, double factor) {
    DensityTerm disk = halo;
    disk.kind = TermKind::disk;
    disk.triaxial = false;
    disk.z_scale = 0;
    disk.start = {sun.x, sun.y, 0};
    disk.factor = factor;
    return disk;
}

/// Lists the halo first, then the disks if there are any, then the streams. The pieces of tracks
/// stay in the model.
inline std::vector<DensityTerm> density_terms(const DensityModel& model, Vec3 sun) {
    std::vector<DensityTerm> terms;
    const BackgroundDensity& b = model.background;
    DensityTerm halo;
    halo.kind = kind_of(b.shape.profile);
    halo.z_scale = 1 / b.shape.q;
    halo.stretch = std::max(1.0, halo.z_scale);
    halo.start = {sun.x, sun.y, sun.z * halo.z_scale};
    halo.axis = {0, 0, 0};
    if (b.shape.triaxial) set_axes(b.shape, sun, halo);
    halo.core = b.shape.core;
    halo.scale = b.shape.scale;
    halo.inner = b.shape.inner;
    halo.outer = b.shape.outer;
    halo.factor = b.halo;
    terms.push_back(halo);
    if (b.disk != 0) {
        terms.push_back(disk_term(halo, sun, b.disk));
    }
    for (const ExponentialDisk& own : b.disks) {
        if (own.unit == 0) continue;
        DensityTerm disk = disk_term(halo, sun, own.factor);
        disk.kind = TermKind::own_disk;
        disk.inner = own.in_plane * log2_e;
        disk.outer = own.across * log2_e;
        terms.push_back(disk);
    }
    for (const Cylinder& cylinder : model.streams) {
        DensityTerm stream;
        stream.kind = cylinder.track.empty() ? TermKind::stream : TermKind::track;
        stream.pieces = cylinder.track.data();
        stream.piece_count = static_cast<int>(cylinder.track.size());
        stream.axis = device_vec(cylinder.axis);
        stream.start = device_vec(sun - cylinder.centre).across(stream.axis);
        stream.root_scale = std::sqrt(cylinder.inverse_two_sigma2 * log2_e);
        stream.component = static_cast<int>(1 + (&cylinder - model.streams.data()));
        terms.push_back(stream);
    }
    return terms;
}

}  // namespace tessera::kernels
