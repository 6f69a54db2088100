// Places ligand atoms on grid points. Each thread takes one atom, without atomics, so that the bits
// do not depend on scheduling.
#pragma once

#include <span>

#include "core/octahedral_group.hpp"
#include "kokkos_kernels/docking/device_problem.hpp"

namespace tessera::kernels {

/// Nearest grid point of the rotated atom, in grid steps from voxel 0. Half-way cases round away
/// from zero, so that the cube group maps rounded coordinates onto rounded coordinates.
struct RotatedVoxel {
    int x, y, z;

    KOKKOS_FUNCTION static RotatedVoxel of(const double* rotation, const double* atom) {
        // rotation is already divided by the spacing.
        return {nearest(rotation[0] * atom[0] + rotation[1] * atom[1] + rotation[2] * atom[2]),
                nearest(rotation[3] * atom[0] + rotation[4] * atom[1] + rotation[5] * atom[2]),
                nearest(rotation[6] * atom[0] + rotation[7] * atom[1] + rotation[8] * atom[2])};
    }
    KOKKOS_FUNCTION static int nearest(double v) { return static_cast<int>(Kokkos::round(v)); }
    KOKKOS_FUNCTION bool operator==(const RotatedVoxel& o) const {
        return x == o.x && y == o.y && z == o.z;
    }
    /// Flat index on the periodic n^3 grid; |coordinates| < n.
    KOKKOS_FUNCTION std::int64_t index(int n) const {
        const std::int64_t i = x < 0 ? x + n : x, j = y < 0 ? y + n : y, k = z < 0 ? z + n : z;
        return (i * n + j) * n + k;
    }
};

/// Writes the rotations of a batch as VoxelizeLigand reads them.
template <class Device>
void upload_rotations(const typename Device::execution_space& space,
                      std::span<const Quaternion> bases, double spacing,
                      const View2<double, Device>& rotations) {
    auto host = Kokkos::create_mirror_view(rotations);
    for (std::size_t b = 0; b < bases.size(); ++b) {
        const Matrix3 matrix = bases[b].matrix();
        for (int i = 0; i < 9; ++i) host(b, i) = matrix[i / 3][i % 3] / spacing;
    }
    Kokkos::deep_copy(space, rotations, host);
}

/// Writes the weights of all atoms of a batch of base rotations into zeroed grids
/// [base][channel][n^3], or zeroes the points they touched.
///
/// Atoms that share a grid point are nearer than sqrt(3) spacings to each other in every rotation.
/// A fixed neighbour list therefore holds every candidate. The atom of lowest index owns the point.
/// It adds up its neighbours there in the order of their indices.
template <class Device>
struct VoxelizeLigand {
    DeviceLigand<Device> ligand;
    View2<double, Device> rotations;  ///< [base][9], row-major, divided by the spacing
    RealGrids<Device> grids;          ///< [base * channels + channel][n^3]
    int n;
    bool clear;  ///< write zeros instead

    KOKKOS_FUNCTION void operator()(int base, int atom) const {
        const double* rotation = &rotations(base, 0);
        const RotatedVoxel own = RotatedVoxel::of(rotation, &ligand.positions(atom, 0));
        const std::int64_t voxel = own.index(n);
        const int channels = static_cast<int>(ligand.weights.extent(0));
        const int first = ligand.neighbor_begin(atom), last = ligand.neighbor_begin(atom + 1);

        for (int i = first; i < last; ++i) {
            const int other = ligand.neighbors(i);
            if (other > atom) break;
            if (RotatedVoxel::of(rotation, &ligand.positions(other, 0)) == own) return;
        }
        for (int c = 0; c < channels; ++c) {
            float sum = clear ? 0.0F : ligand.weights(c, atom);
            for (int i = first; i < last && !clear; ++i) {
                const int other = ligand.neighbors(i);
                if (other > atom && RotatedVoxel::of(rotation, &ligand.positions(other, 0)) == own)
                    sum += ligand.weights(c, other);
            }
            grids(base * channels + c, voxel) = sum;
        }
    }

    void launch(const typename Device::execution_space& space, int bases) const {
        using Policy = Kokkos::MDRangePolicy<typename Device::execution_space, Kokkos::Rank<2>>;
        const int atoms = static_cast<int>(ligand.positions.extent(0));
        Kokkos::parallel_for("tessera::docking::voxelize", Policy(space, {0, 0}, {bases, atoms}),
                             *this);
    }
};

}  // namespace tessera::kernels
