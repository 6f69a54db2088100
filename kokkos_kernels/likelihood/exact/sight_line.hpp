// Squared distances along a line of sight, as quadratics about the point of closest approach.
#pragma once

#include "core/vec3.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/likelihood/elementary.hpp"

namespace tessera::kernels {

/// A vector with the algebra that kernels need (core/vec3.hpp is for hosts).
struct DeviceVec {
    double x, y, z;

    KOKKOS_INLINE_FUNCTION DeviceVec times(double s) const { return {s * x, s * y, s * z}; }
    KOKKOS_INLINE_FUNCTION DeviceVec plus(DeviceVec b) const { return {x + b.x, y + b.y, z + b.z}; }
    KOKKOS_INLINE_FUNCTION double dot(DeviceVec b) const { return x * b.x + y * b.y + z * b.z; }
    /// The part that is perpendicular to a unit vector.
    KOKKOS_INLINE_FUNCTION DeviceVec across(DeviceVec axis) const {
        return plus(axis.times(-dot(axis)));
    }
};

inline DeviceVec device_vec(Vec3 v) { return {v.x, v.y, v.z}; }

/// (a r + b)^2 + c. The constant c is the squared distance of closest approach, so nothing cancels
/// near it.
template <class Real>
struct Quadratic {
    Real a, b, c;

    Quadratic() = default;
    KOKKOS_INLINE_FUNCTION Quadratic(Real a_, Real b_, Real c_) : a(a_), b(b_), c(c_) {}
    template <class Other>
    KOKKOS_INLINE_FUNCTION explicit Quadratic(const Quadratic<Other>& q)
        : a(static_cast<Real>(q.a)), b(static_cast<Real>(q.b)), c(static_cast<Real>(q.c)) {}

    KOKKOS_INLINE_FUNCTION Real root_at(Real r) const { return a * r + b; }

    /// Smallest value of the quadratic over [low, high], and the largest |a r + b|.
    KOKKOS_INLINE_FUNCTION Real least(Real low, Real high) const {
        const Real p = root_at(low), q = root_at(high);
        if (p * q <= 0) return c;
        return (p * p < q * q ? p * p : q * q) + c;
    }
    KOKKOS_INLINE_FUNCTION Real largest_root(Real low, Real high) const {
        const Real p = std::abs(root_at(low)), q = std::abs(root_at(high));
        return p > q ? p : q;
    }
    KOKKOS_INLINE_FUNCTION Real largest(Real low, Real high) const {
        const Real p = largest_root(low, high);
        return p * p + c;
    }
};

/// |root_scale (start + r step)|^2 as a quadratic in r.
KOKKOS_INLINE_FUNCTION Quadratic<double> squared_length(DeviceVec start, DeviceVec step,
                                                        double root_scale) {
    const double speed2 = step.dot(step);
    const double inverse_speed = speed2 > 1e-280 ? inverse_root(speed2) : 0;
    const DeviceVec unit = step.times(inverse_speed);
    const double along = unit.dot(start);
    const DeviceVec rest = start.plus(unit.times(-along)).times(root_scale);
    return {root_scale * speed2 * inverse_speed, root_scale * along, rest.dot(rest)};
}

}  // namespace tessera::kernels
