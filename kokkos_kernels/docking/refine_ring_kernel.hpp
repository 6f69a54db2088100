// Refinement of a pose that stays part of a ring of equal copies.
#pragma once

#include "kokkos_kernels/docking/refine_kernel.hpp"

namespace tessera::kernels {

/// Coordinates of the minimiser: a shift s of the ligand across the axis, and a rotation vector v
/// across the axis, which turns the whole ring about the receptor's centre by Q(v). The ligand is
/// turned by R = Q R0 Q^T and shifted from the receptor's centre by d = Q (d0 + s). So R keeps its
/// angle and d stays across the axis, and the ring stays closed.
template <class Device, class Restraints = NoRestraints>
struct RefineRingKernel : RefineKernel<Device, Restraints> {
    using Base = RefineKernel<Device, Restraints>;
    using typename Base::Shared;
    double ring_center[3];  ///< Ring::center

    /// As the kernel of free poses. The two share no code here, so that neither changes the other's
    /// last bits.
    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        Shared& shared = *static_cast<Shared*>(block.shared);
        RigidMinimiser& minimiser = shared.minimiser;
        if (block.rank() == 0) {
            minimiser.begin(this->largest_shift, this->largest_turn * this->ligand.arm);
            place(block.index, shared);
        }
        block.barrier();
        for (int i = 0; i < this->evaluations; ++i) {
            this->sum_forces(block, shared);
            if (block.rank() == 0) advance(block.index, i == 0, shared);
            block.barrier();
            if (minimiser.done) break;
        }
        if (block.rank() == 0) {
            for (int i = 0; i < RigidMinimiser::n; ++i) minimiser.trial[i] = minimiser.best[i];
            place(block.index, shared);
        }
        block.barrier();
        this->sum_terms(block, shared);
        if (block.rank() == 0) this->store(block.index, shared);
    }

    KOKKOS_FUNCTION void place(int pose, Shared& shared) const {
        const double* start = &this->poses(pose, 0);
        double axis[3], step[3], turned[9], first[9];
        axis_of(start, axis);
        const RotationVector turn = turn_of(shared, axis);
        Base::matrix_of(start, first);
        multiply(turn.rotation, first, turned);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                double sum = 0;
                for (int k = 0; k < 3; ++k) sum += turned[3 * i + k] * turn.rotation[3 * j + k];
                shared.rotation[3 * i + j] = sum;
            }
        for (int i = 0; i < 9; ++i) shared.jacobian[i] = turn.jacobian[i];
        for (int i = 0; i < 3; ++i)
            step[i] = start[4 + i] - ring_center[i] + shared.minimiser.trial[i];
        keep_across(axis, step);
        for (int i = 0; i < 3; ++i) {
            double sum = 0;
            for (int k = 0; k < 3; ++k) sum += turn.rotation[3 * i + k] * step[k];
            shared.shift[i] = sum + ring_center[i] - this->receptor.center[i];
        }
    }

    /// With the force f and the torque t on the ligand, dE = f . dd + t . (1 - R) J dv, and
    /// dd = J dv x d + Q ds.
    KOKKOS_FUNCTION void advance(int pose, bool first, Shared& shared) const {
        const double *f = shared.sums[0] + 1, *torque = shared.sums[0] + 4;
        if (first) shared.energy = shared.sums[0][0];
        double axis[3], whole[3], shift[3], gradient[6];
        axis_of(&this->poses(pose, 0), axis);
        for (int i = 0; i < 3; ++i)
            shift[i] = shared.shift[i] + this->receptor.center[i] - ring_center[i];
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            whole[i] = torque[i] + shift[j] * f[k] - shift[k] * f[j];
            for (int m = 0; m < 3; ++m) whole[i] -= shared.rotation[3 * m + i] * torque[m];
        }
        const RotationVector turn = turn_of(shared, axis);
        for (int i = 0; i < 3; ++i) {
            gradient[i] = gradient[3 + i] = 0;
            for (int k = 0; k < 3; ++k) {
                gradient[i] += turn.rotation[3 * k + i] * f[k];
                gradient[3 + i] += turn.jacobian[3 * k + i] * whole[k] / this->ligand.arm;
            }
        }
        keep_across(axis, gradient);
        keep_across(axis, gradient + 3);
        shared.minimiser.advance(shared.sums[0][0], gradient);
        if (!shared.minimiser.done) place(pose, shared);
    }

  private:
    KOKKOS_FUNCTION RotationVector turn_of(const Shared& shared, const double* axis) const {
        double v[3];
        for (int i = 0; i < 3; ++i) v[i] = shared.minimiser.trial[3 + i] / this->ligand.arm;
        keep_across(axis, v);
        return RotationVector(v);
    }

    KOKKOS_FUNCTION static void axis_of(const double* q, double* axis) {
        const double length = Kokkos::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int i = 0; i < 3; ++i) axis[i] = q[1 + i] / length;
    }

    /// Removes the part of v along the axis.
    KOKKOS_FUNCTION static void keep_across(const double* axis, double* v) {
        const double along = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
        for (int i = 0; i < 3; ++i) v[i] -= along * axis[i];
    }

    KOKKOS_FUNCTION static void multiply(const double* a, const double* b, double* product) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                product[3 * i + j] = 0;
                for (int k = 0; k < 3; ++k) product[3 * i + j] += a[3 * i + k] * b[3 * k + j];
            }
    }
};

}  // namespace tessera::kernels
