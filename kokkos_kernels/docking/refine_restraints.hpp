// Distance restraints in the energy that the refinement minimises
// (docs/method/docking-restraints.md, "The refinement").
#pragma once

#include "core/vec3.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/docking/refine_terms.hpp"

namespace tessera::kernels {

/// Runs without restraints. Their kernel is the plain one, to the last bit.
struct NoRestraints {
    static constexpr bool present = false;
    struct Sums {};
};

/// The atoms of all restraints, one restraint after another.
template <class Device>
struct DeviceRestraints {
    static constexpr bool present = true;
    /// Energy, dE/dshift and torque of a pose without its restraints, to which they are added.
    struct Sums {
        double total[7];
    };

    View2<float, Device> receptor;  ///< [3][atom], Angstrom from the receptor's centre
    View2<double, Device> ligand;   ///< [atom][3], Angstrom from the ligand's centre
    View2<int, Device> ranges;      ///< [restraint][receptor begin, end, ligand begin, end]
    View2<double, Device> bounds;   ///< [restraint][lower, upper], Angstrom
    double weight = 0;              ///< of one restraint that is far from satisfied
    double softness2 = 1;           ///< A^2

    /// Adds energy and forces of all restraints to those of the other atoms, shared.sums[0].
    template <class Block, class Kernel>
    KOKKOS_FUNCTION void add(const Block& block, typename Kernel::Shared& shared,
                             const Kernel& kernel) const {
        double* const total = shared.with_restraints.total;
        if (block.rank() == 0)
            for (int k = 0; k < 7; ++k) total[k] = shared.sums[0][k];
        const int count = static_cast<int>(ranges.extent(0));
        for (int restraint = 0; restraint < count; ++restraint) {
            sum_pairs(block, restraint, shared, kernel);
            if (block.rank() == 0) add_one(restraint, shared.sums[0], total);
        }
        if (block.rank() == 0)
            for (int k = 0; k < 7; ++k) shared.sums[0][k] = total[k];
    }

  private:
    /// shared.sums[0] = sums over the pairs of a restraint: of d^-6, of the vectors d^-8 (p - q) at
    /// the ligand's atoms p, and of their torques.
    template <class Block, class Kernel>
    KOKKOS_FUNCTION void sum_pairs(const Block& block, int restraint,
                                   typename Kernel::Shared& shared, const Kernel& kernel) const {
        double* own = shared.sums[block.rank()];
        for (int k = 0; k < 7; ++k) own[k] = 0;
        const int first = ranges(restraint, 2);
        const int items = (ranges(restraint, 3) - first) * Kernel::lanes;
        for (int item = block.rank(); item < items; item += block.size)
            add_atom<Kernel::lanes>(restraint, first + item / Kernel::lanes, item % Kernel::lanes,
                                    shared, own);
        kernel.reduce(block, shared, 7);
    }

    /// The pairs of a ligand atom with every `Lanes`-th receptor atom.
    template <int Lanes, class Shared>
    KOKKOS_FUNCTION void add_atom(int restraint, int atom, int lane, const Shared& shared,
                                  double* sums) const {
        double turned[3];
        for (int i = 0; i < 3; ++i) {
            turned[i] = 0;
            for (int k = 0; k < 3; ++k) turned[i] += shared.rotation[3 * i + k] * ligand(atom, k);
        }
        const float px = static_cast<float>(turned[0] + shared.shift[0]),
                    py = static_cast<float>(turned[1] + shared.shift[1]),
                    pz = static_cast<float>(turned[2] + shared.shift[2]);
        const std::size_t stride = receptor.extent(1);
        const float* const x = receptor.data();
        const float* const y = x + stride;
        const float* const z = y + stride;
        const int end = ranges(restraint, 1);
        float sum = 0, fx = 0, fy = 0, fz = 0;
        TESSERA_REFINE_LOOP(sum, fx, fy, fz)
        for (int i = ranges(restraint, 0) + lane; i < end; i += Lanes) {
            const float dx = px - x[i], dy = py - y[i], dz = pz - z[i];
            float r2 = dx * dx + dy * dy + dz * dz;
            r2 = r2 > 0.01F ? r2 : 0.01F;
            const float inverse = 1 / r2, sixth = inverse * inverse * inverse;
            const float eighth = sixth * inverse;
            sum += sixth;
            fx += eighth * dx, fy += eighth * dy, fz += eighth * dz;
        }
        const double f[3] = {fx, fy, fz};
        sums[0] += static_cast<double>(sum);
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            sums[1 + i] += f[i];
            sums[4 + i] += turned[j] * f[k] - turned[k] * f[j];
        }
    }

    /// With S = sum of d^-6, r = S^(-1/6) and dr/dp = r/S * sum of d^-8 (p - q).
    KOKKOS_FUNCTION void add_one(int restraint, const double* sums, double* total) const {
        const double r = Kokkos::pow(sums[0], -1.0 / 6);
        const Cost cost = energy(restraint, r);
        total[0] += cost.value;
        for (int k = 1; k < 7; ++k) total[k] += cost.slope * r / sums[0] * sums[k];
    }

    struct Cost {
        double value, slope;
    };

    /// The energy v^2 / (v^2 + softness^2) of a distance r that is outside its bounds by v, times
    /// the weight, and its slope. It levels off, so that a wrong restraint pulls little.
    KOKKOS_FUNCTION Cost energy(int restraint, double r) const {
        const double above = r - bounds(restraint, 1), below = bounds(restraint, 0) - r;
        const double outside = above > 0 ? above : below > 0 ? below : 0;
        const double scale = 1 / (outside * outside + softness2);
        const double slope = 2 * outside * softness2 * scale * scale;
        return {weight * outside * outside * scale, weight * (above > 0 ? slope : -slope)};
    }
};

/// Copies the restraints of a problem to the device. `center` is subtracted from the receptor's
/// atoms.
template <class Device>
DeviceRestraints<Device> make_device_restraints(const RefineProblem& problem,
                                                const double* center) {
    std::size_t receptor_atoms = 0, ligand_atoms = 0;
    for (const RefineRestraint& one : problem.restraints) {
        receptor_atoms += one.receptor.size();
        ligand_atoms += one.ligand.size();
    }
    DeviceRestraints<Device> all;
    all.receptor = View2<float, Device>("restraints_receptor", 3, receptor_atoms);
    all.ligand = View2<double, Device>("restraints_ligand", ligand_atoms, 3);
    all.ranges = View2<int, Device>("restraints_ranges", problem.restraints.size(), 4);
    all.bounds = View2<double, Device>("restraints_bounds", problem.restraints.size(), 2);
    const auto receptor = Kokkos::create_mirror_view(all.receptor);
    const auto ligand = Kokkos::create_mirror_view(all.ligand);
    const auto ranges = Kokkos::create_mirror_view(all.ranges);
    const auto bounds = Kokkos::create_mirror_view(all.bounds);
    int on_receptor = 0, on_ligand = 0, k = 0;
    for (const RefineRestraint& one : problem.restraints) {
        ranges(k, 0) = on_receptor, ranges(k, 2) = on_ligand;
        for (const Vec3& p : one.receptor) {
            const double at[3] = {p.x - center[0], p.y - center[1], p.z - center[2]};
            for (int i = 0; i < 3; ++i) receptor(i, on_receptor) = static_cast<float>(at[i]);
            ++on_receptor;
        }
        for (const Vec3& p : one.ligand) {
            ligand(on_ligand, 0) = p.x, ligand(on_ligand, 1) = p.y, ligand(on_ligand, 2) = p.z;
            ++on_ligand;
        }
        ranges(k, 1) = on_receptor, ranges(k, 3) = on_ligand;
        bounds(k, 0) = one.lower, bounds(k, 1) = one.upper;
        ++k;
    }
    Kokkos::deep_copy(all.receptor, receptor);
    Kokkos::deep_copy(all.ligand, ligand);
    Kokkos::deep_copy(all.ranges, ranges);
    Kokkos::deep_copy(all.bounds, bounds);
    const RefineParameters& p = problem.parameters;
    all.weight = p.restraints_weight / static_cast<double>(problem.restraints.size());
    all.softness2 = p.restraints_softness * p.restraints_softness;
    return all;
}

}  // namespace tessera::kernels
