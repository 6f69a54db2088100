// Minimisation over the six degrees of freedom of a rigid body, by BFGS with short, bounded steps.
#pragma once

#include <Kokkos_Core.hpp>

#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::kernels {

/// The matrix R of a rotation vector v, and the matrix J that converts changes of v into rotations
/// about the axes: R(v + dv) = R(J dv) R(v) to first order.
struct RotationVector {
    double rotation[9], jacobian[9];

    KOKKOS_FUNCTION explicit RotationVector(const double* v) {
        const double angle2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        // sin(a)/a, (1 - cos a)/a^2 and (a - sin a)/a^3. Small angles use their series.
        double s = 1 - angle2 / 6, c = 0.5 - angle2 / 24, d = 1.0 / 6 - angle2 / 120;
        if (angle2 > 1e-4) {
            const double a = Kokkos::sqrt(angle2);
            s = Kokkos::sin(a) / a;
            c = (1 - Kokkos::cos(a)) / angle2;
            d = (1 - s) / angle2;
        }
        fill(rotation, v, 1 - angle2 * c, s, c);
        fill(jacobian, v, s, c, d);
    }

  private:
    /// m = diagonal * 1 + skew * [v]x + outer * v v^T
    KOKKOS_FUNCTION static void fill(double* m, const double* v, double diagonal, double skew,
                                     double outer) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m[3 * i + j] = outer * v[i] * v[j];
        for (int i = 0; i < 3; ++i) m[4 * i] += diagonal;
        m[1] -= skew * v[2], m[2] += skew * v[1], m[3] += skew * v[2];
        m[5] -= skew * v[0], m[6] -= skew * v[1], m[7] += skew * v[0];
    }
};

/// The caller evaluates energy and gradient at `trial` and hands them to advance(), which moves
/// `trial`, until `done`. Coordinates are lengths: shift (0 to 2), and rotation vector times an arm
/// (3 to 5). Nothing here is random, timed or parallel, so the same numbers give the same path.
struct RigidMinimiser {
    static constexpr int n = 6;
    static constexpr double longest_step = 1.0, first_step = 0.4;  ///< Angstrom
    static constexpr double enough = 1e-4;  ///< stops below this expected gain

    double best[n], trial[n], best_gradient[n], inverse_hessian[n * n];
    double best_energy, limits[2];  ///< limits: longest shift, longest turn times arm
    double step;                    ///< fraction of the quasi-Newton direction
    bool started, scaled, done;

    KOKKOS_FUNCTION void begin(double longest_shift, double longest_turn) {
        limits[0] = longest_shift, limits[1] = longest_turn;
        for (int i = 0; i < n; ++i) best[i] = trial[i] = 0;
        started = done = false;
        reset();
    }

    KOKKOS_FUNCTION void advance(double energy, const double* gradient) {
        if (!started) {
            accept(energy, gradient);
            started = true;
        } else {
            double gain = 0;
            for (int i = 0; i < n; ++i) gain -= best_gradient[i] * (trial[i] - best[i]);
            if (energy <= best_energy - 1e-4 * gain) {
                update(gradient);
                accept(energy, gradient);
                step = 1;
            } else {
                shorten(energy, gain);
            }
        }
        if (!done) propose();
    }

  private:
    KOKKOS_FUNCTION void reset() {
        for (int i = 0; i < n * n; ++i) inverse_hessian[i] = i % (n + 1) == 0 ? 1 : 0;
        scaled = false;
        step = 1;
    }

    KOKKOS_FUNCTION void accept(double energy, const double* gradient) {
        best_energy = energy;
        for (int i = 0; i < n; ++i) best[i] = trial[i], best_gradient[i] = gradient[i];
    }

    /// Steps to the minimum of the parabola through the known values, limited to 0.1 to 0.5 of the
    /// step.
    KOKKOS_FUNCTION void shorten(double energy, double gain) {
        const double curvature = energy - best_energy + gain;
        double factor = curvature > 0 ? 0.5 * gain / curvature : 0.5;
        factor = factor < 0.1 ? 0.1 : factor > 0.5 ? 0.5 : factor;
        step *= factor;
        if (step > 1e-3) return;
        done = !scaled;  // steepest descent has failed as well
        reset();
    }

    /// Inverse BFGS update (Nocedal & Wright 2006, eq. 6.17), scaled once (eq. 6.20).
    KOKKOS_FUNCTION void update(const double* gradient) {
        double s[n], y[n], hy[n], sy = 0, yy = 0, yhy = 0;
        for (int i = 0; i < n; ++i) {
            s[i] = trial[i] - best[i], y[i] = gradient[i] - best_gradient[i];
            sy += s[i] * y[i], yy += y[i] * y[i];
        }
        if (!(sy > 1e-8 * yy * 1e-2)) return;  // no positive curvature seen
        if (!scaled)
            for (int i = 0; i < n; ++i) inverse_hessian[i * (n + 1)] = sy / yy;
        scaled = true;
        for (int i = 0; i < n; ++i) {
            hy[i] = 0;
            for (int j = 0; j < n; ++j) hy[i] += inverse_hessian[i * n + j] * y[j];
            yhy += y[i] * hy[i];
        }
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                inverse_hessian[i * n + j] +=
                    (1 + yhy / sy) * s[i] * s[j] / sy - (hy[i] * s[j] + s[i] * hy[j]) / sy;
    }

    KOKKOS_FUNCTION void propose() {
        double direction[n], length = 0, gain = 0;
        for (int i = 0; i < n; ++i) {
            direction[i] = 0;
            for (int j = 0; j < n; ++j)
                direction[i] -= inverse_hessian[i * n + j] * best_gradient[j];
            length += direction[i] * direction[i];
        }
        length = Kokkos::sqrt(length);
        const double most = scaled ? longest_step : first_step;
        const double factor = step * (!scaled || length > most ? most / (length + 1e-300) : 1);
        for (int i = 0; i < n; ++i) trial[i] = best[i] + factor * direction[i];
        keep_within(trial, limits[0]);
        keep_within(trial + 3, limits[1]);
        for (int i = 0; i < n; ++i) gain -= best_gradient[i] * (trial[i] - best[i]);
        if (gain > enough * step) return;
        done = !scaled || step < 1;
        if (done || gain > 0) {
            done = true;
            return;
        }
        reset();  // the direction leads out of the allowed region or uphill
        propose_descent();
    }

    KOKKOS_FUNCTION void propose_descent() {
        double length = 0, gain = 0;
        for (int i = 0; i < n; ++i) length += best_gradient[i] * best_gradient[i];
        const double factor = first_step / (Kokkos::sqrt(length) + 1e-300);
        for (int i = 0; i < n; ++i) trial[i] = best[i] - factor * best_gradient[i];
        keep_within(trial, limits[0]);
        keep_within(trial + 3, limits[1]);
        for (int i = 0; i < n; ++i) gain -= best_gradient[i] * (trial[i] - best[i]);
        done = gain <= enough;
    }

    /// Projects v onto the ball of this radius.
    KOKKOS_FUNCTION static void keep_within(double* v, double radius) {
        const double length2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (length2 <= radius * radius) return;
        const double factor = radius / Kokkos::sqrt(length2);
        for (int i = 0; i < 3; ++i) v[i] *= factor;
    }
};

}  // namespace tessera::kernels
