// Refinement of one pose by one block of threads.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/docking/receptor_cells.hpp"
#include "kokkos_kernels/docking/refine_restraints.hpp"
#include "kokkos_kernels/docking/refine_terms.hpp"
#include "kokkos_kernels/docking/rigid_minimiser.hpp"

namespace tessera::kernels {

template <class Device>
struct RefineLigand {
    View2<double, Device> positions;  ///< [atom][3], Angstrom from the ligand's centre
    View2<float, Device> fields;      ///< [atom][radius, charge, buried]
    View1<int, Device> types;
    double arm = 1;  ///< Angstrom: a rotation by one radian counts as a shift of this length
};

/// Columns of a result: pose (quaternion, translation), energies before and after, terms.
inline constexpr int refine_result_columns = 7 + 2 + refine_term_count;

/// A block refines pose `block.index`. Sums over ligand atoms are in double, in an order fixed by
/// the block's size. Within an atom they are in single precision, in an order fixed by the cells.
template <class Device, class Restraints = NoRestraints>
struct RefineKernel {
    static constexpr int threads = 128, blocks_per_unit = 5;
    static constexpr int lanes = is_host<Device> ? 1 : 8;  ///< threads that share a ligand atom
    static constexpr int sums_per_thread = refine_term_count;

    struct Shared {
        RigidMinimiser minimiser;
        double rotation[9], jacobian[9], shift[3], energy;
        typename Restraints::Sums with_restraints;
        double sums[is_host<Device> ? 1 : threads][sums_per_thread];
    };
    static constexpr int shared_bytes = static_cast<int>(sizeof(Shared));

    RefineReceptor<Device> receptor;
    RefineLigand<Device> ligand;
    View1<float, Device> energies;  ///< [types * types]
    PairForms<float> forms;
    View2<double, Device> poses;    ///< [pose][quaternion w x y z, translation]
    View2<double, Device> results;  ///< [pose][refine_result_columns]
    int types, evaluations;
    double largest_shift, largest_turn, covered;
    // Not [[no_unique_address]]: nvcc 13.0 gives a struct that is derived from such a one other
    // offsets on the device than on the host.
    Restraints restraints = {};

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        Shared& shared = *static_cast<Shared*>(block.shared);
        RigidMinimiser& minimiser = shared.minimiser;
        if (block.rank() == 0) {
            minimiser.begin(largest_shift, largest_turn * ligand.arm);
            place(block.index, shared);
        }
        block.barrier();
        for (int i = 0; i < evaluations; ++i) {
            sum_forces(block, shared);
            if (block.rank() == 0) advance(block.index, i == 0, shared);
            block.barrier();
            if (minimiser.done) break;
        }
        if (block.rank() == 0) {
            for (int i = 0; i < RigidMinimiser::n; ++i) minimiser.trial[i] = minimiser.best[i];
            place(block.index, shared);
        }
        block.barrier();
        sum_terms(block, shared);
        if (block.rank() == 0) store(block.index, shared);
    }

    /// Puts energy, dE/dshift and torque of pose `block.index` into shared.sums[0]. The pose does
    /// not move.
    template <class Block>
    KOKKOS_FUNCTION void sum_forces(const Block& block, Shared& shared) const {
        double* own = shared.sums[block.rank()];
        for (int k = 0; k < 7; ++k) own[k] = 0;
        const int items = static_cast<int>(ligand.positions.extent(0)) * lanes;
        for (int item = block.rank(); item < items; item += block.size)
            add_forces(shared, item / lanes, item % lanes, own);
        reduce(block, shared, 7);
        if constexpr (Restraints::present) restraints.add(block, shared, *this);
    }

    /// The rotation matrix and shift of the minimiser's trial.
    KOKKOS_FUNCTION void place(int pose, Shared& shared) const {
        const double* trial = shared.minimiser.trial;
        const double turn[3] = {trial[3] / ligand.arm, trial[4] / ligand.arm,
                                trial[5] / ligand.arm};
        const RotationVector vector(turn);
        double start[9];
        matrix_of(&poses(pose, 0), start);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                double sum = 0;
                for (int k = 0; k < 3; ++k) sum += vector.rotation[3 * i + k] * start[3 * k + j];
                shared.rotation[3 * i + j] = sum;
            }
        for (int i = 0; i < 9; ++i) shared.jacobian[i] = vector.jacobian[i];
        for (int i = 0; i < 3; ++i)
            shared.shift[i] = poses(pose, 4 + i) + trial[i] - receptor.center[i];
    }

    /// Adds the sums of all threads into the first thread's, in pairs of a fixed order.
    template <class Block>
    KOKKOS_FUNCTION void reduce(const Block& block, Shared& shared, int count) const {
        block.barrier();
        for (int half = block.size / 2; half > 0; half /= 2) {
            if (block.rank() < half)
                for (int k = 0; k < count; ++k)
                    shared.sums[block.rank()][k] += shared.sums[block.rank() + half][k];
            block.barrier();
        }
    }

  protected:
    KOKKOS_FUNCTION static void matrix_of(const double* q, double* m) {
        const double w = q[0], x = q[1], y = q[2], z = q[3];
        m[0] = 1 - 2 * (y * y + z * z), m[1] = 2 * (x * y - w * z), m[2] = 2 * (x * z + w * y);
        m[3] = 2 * (x * y + w * z), m[4] = 1 - 2 * (x * x + z * z), m[5] = 2 * (y * z - w * x);
        m[6] = 2 * (x * z - w * y), m[7] = 2 * (y * z + w * x), m[8] = 1 - 2 * (x * x + y * y);
    }

    KOKKOS_FUNCTION void advance(int pose, bool first, Shared& shared) const {
        const double* sums = shared.sums[0];
        if (first) shared.energy = sums[0];
        double gradient[6];
        for (int i = 0; i < 3; ++i) {
            gradient[i] = sums[1 + i];
            gradient[3 + i] = 0;
            for (int k = 0; k < 3; ++k)
                gradient[3 + i] += shared.jacobian[3 * k + i] * sums[4 + k] / ligand.arm;
        }
        shared.minimiser.advance(sums[0], gradient);
        if (!shared.minimiser.done) place(pose, shared);
    }

    /// The atom relative to the ligand's centre after the rotation, and its position.
    KOKKOS_FORCEINLINE_FUNCTION void locate(const Shared& shared, int atom, double* turned,
                                            float* at) const {
        for (int i = 0; i < 3; ++i) {
            turned[i] = 0;
            for (int k = 0; k < 3; ++k)
                turned[i] += shared.rotation[3 * i + k] * ligand.positions(atom, k);
            at[i] = static_cast<float>(turned[i] + shared.shift[i]);
        }
    }

    KOKKOS_FORCEINLINE_FUNCTION PairPartner<float> partner(int atom) const {
        return {ligand.fields(atom, 0), ligand.fields(atom, 1), ligand.fields(atom, 2),
                energies.data() + ligand.types(atom) * types};
    }

    /// Adds the terms of a ligand atom at p with the receptor atoms begin + lane,
    /// begin + lane + lanes, ...
    KOKKOS_FORCEINLINE_FUNCTION void add_range(const float* p, const PairPartner<float>& own,
                                               int begin, int end, float* sums) const {
        const PairForms<float> pair = forms;
        const std::size_t stride = receptor.fields.extent(1);
        const float* const x = receptor.fields.data();
        const float* const y = x + stride;
        const float* const z = y + stride;
        const float* const radius = z + stride;
        const float* const charge = radius + stride;
        const float* const buried = charge + stride;
        const int* const type = receptor.types.data();
        const float px = p[0], py = p[1], pz = p[2];
        float energy = 0, fx = 0, fy = 0, fz = 0;
        TESSERA_REFINE_LOOP(energy, fx, fy, fz)
        for (int i = begin; i < end; i += lanes) {
            const float dx = px - x[i], dy = py - y[i], dz = pz - z[i];
            float r2 = dx * dx + dy * dy + dz * dz;
            if constexpr (!is_host<Device>)
                if (r2 >= receptor.cutoff * receptor.cutoff) continue;
            r2 = r2 > 0.01F ? r2 : 0.01F;
            const Slope<float> e = pair.energy(r2, {radius[i], charge[i], buried[i], type[i]}, own);
            energy += e.value;
            fx += e.by_r2 * dx, fy += e.by_r2 * dy, fz += e.by_r2 * dz;
        }
        sums[0] += energy, sums[1] += fx, sums[2] += fy, sums[3] += fz;
    }

    KOKKOS_FUNCTION void add_forces(const Shared& shared, int atom, int lane, double* sums) const {
        double turned[3];
        float p[3], own[4] = {};
        locate(shared, atom, turned, p);
        const PairPartner<float> ligand_atom = partner(atom);
        receptor.near(
            p, [&](int begin, int end) { add_range(p, ligand_atom, begin + lane, end, own); });
        const double f[3] = {2.0 * own[1], 2.0 * own[2], 2.0 * own[3]};
        sums[0] += static_cast<double>(own[0]);
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            sums[1 + i] += f[i];
            sums[4 + i] += turned[j] * f[k] - turned[k] * f[j];
        }
    }

    template <class Block>
    KOKKOS_FUNCTION void sum_terms(const Block& block, Shared& shared) const {
        double* own = shared.sums[block.rank()];
        for (int k = 0; k < refine_term_count; ++k) own[k] = 0;
        const int atoms = static_cast<int>(ligand.positions.extent(0));
        for (int atom = block.rank(); atom < atoms; atom += block.size)
            add_terms(shared, atom, own);
        reduce(block, shared, refine_term_count);
    }

    KOKKOS_FUNCTION void add_terms(const Shared& shared, int atom, double* sums) const {
        double turned[3];
        float p[3], terms[refine_term_count] = {};
        locate(shared, atom, turned, p);
        const PairPartner<float> own = partner(atom);
        const std::size_t stride = receptor.fields.extent(1);
        const float* x = receptor.fields.data();
        receptor.near(p, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                const float dx = p[0] - x[i], dy = p[1] - x[i + stride],
                            dz = p[2] - x[i + 2 * stride];
                const float r2 = dx * dx + dy * dy + dz * dz;
                if (r2 >= receptor.cutoff * receptor.cutoff) continue;
                forms.add_terms(
                    r2 > 0.01F ? r2 : 0.01F,
                    {x[i + 3 * stride], x[i + 4 * stride], x[i + 5 * stride], receptor.types(i)},
                    own, terms);
            }
        });
        for (int k = 0; k < burial_term; ++k) sums[k] += static_cast<double>(terms[k]);
        const double contacts = static_cast<double>(terms[contact_term]);
        sums[burial_term] += contacts / (contacts + covered);
    }

    KOKKOS_FUNCTION void store(int pose, const Shared& shared) const {
        const double* m = shared.rotation;
        double* out = &results(pose, 0);
        quaternion_of(m, out);
        for (int i = 0; i < 3; ++i) out[4 + i] = shared.shift[i] + receptor.center[i];
        out[7] = shared.energy;
        out[8] = shared.minimiser.best_energy;
        for (int k = 0; k < refine_term_count; ++k) out[9 + k] = shared.sums[0][k];
    }

    /// The quaternion with w >= 0. It starts from the largest component, so that there is no
    /// division by a small number (Shepperd 1978).
    KOKKOS_FUNCTION static void quaternion_of(const double* m, double* q) {
        const double squares[4] = {1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8],
                                   1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8]};
        int largest = 0;
        for (int i = 1; i < 4; ++i)
            if (squares[i] > squares[largest]) largest = i;
        const double wx = m[7] - m[5], wy = m[2] - m[6], wz = m[3] - m[1];
        const double xy = m[1] + m[3], xz = m[2] + m[6], yz = m[5] + m[7];
        const double rows[4][4] = {{squares[0], wx, wy, wz},
                                   {wx, squares[1], xy, xz},
                                   {wy, xy, squares[2], yz},
                                   {wz, xz, yz, squares[3]}};
        double length = 0;
        for (int i = 0; i < 4; ++i) length += rows[largest][i] * rows[largest][i];
        const double sign = rows[largest][0] < 0 ? -1 : 1;
        for (int i = 0; i < 4; ++i) q[i] = sign * rows[largest][i] / Kokkos::sqrt(length);
    }
};

/// Energy and forces of poses that do not move.
template <class Device, class Restraints = NoRestraints>
struct ForceKernel : RefineKernel<Device, Restraints> {
    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        auto& shared =
            *static_cast<typename RefineKernel<Device, Restraints>::Shared*>(block.shared);
        if (block.rank() == 0) {
            shared.minimiser.begin(1, 1);
            this->place(block.index, shared);
        }
        block.barrier();
        this->sum_forces(block, shared);
        if (block.rank() == 0)
            for (int k = 0; k < 7; ++k) this->results(block.index, k) = shared.sums[0][k];
    }
};

}  // namespace tessera::kernels
