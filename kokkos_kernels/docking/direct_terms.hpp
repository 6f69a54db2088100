// Energy terms of single poses by direct sums: the reference of the transforms, and what files report.
#pragma once

#include "kokkos_kernels/docking/voxelize.hpp"

namespace tessera::kernels {

/// sums[pose][channel] = sum_atoms receptor[channel](g v(atom) + t) * weight[channel](atom), in double,
/// atoms in order: the same bits whatever the launch.
template <class Device>
struct DirectTerms {
    DeviceLigand<Device> ligand;
    RealGrids<Device> receptor;  ///< [channel][n^3]
    View1<DevicePermutation, Device> group;
    View2<double, Device> rotations;  ///< [pose][9], base rotation over the spacing
    View1<int, Device> member;        ///< [pose]
    View1<int, Device> translation;   ///< [pose], flat grid index
    View2<double, Device> sums;
    int n;

    KOKKOS_FUNCTION void operator()(int pose, int channel) const {
        const int t = translation(pose);
        const int atoms = static_cast<int>(ligand.positions.extent(0));
        const DevicePermutation turn = group(member(pose));
        double sum = 0;
        for (int a = 0; a < atoms; ++a) {
            const RotatedVoxel v = RotatedVoxel::of(&rotations(pose, 0), &ligand.positions(a, 0));
            int p[3];
            turn(v.x, v.y, v.z, p);
            const int x = wrap(p[0] + t / (n * n), n), y = wrap(p[1] + t / n % n, n),
                      z = wrap(p[2] + t % n, n);
            sum += static_cast<double>(receptor(channel, (std::int64_t{x} * n + y) * n + z)) *
                   static_cast<double>(ligand.weights(channel, a));
        }
        sums(pose, channel) = sum;
    }

    void launch(const typename Device::execution_space& space) const {
        using Policy = Kokkos::MDRangePolicy<typename Device::execution_space, Kokkos::Rank<2>>;
        Kokkos::parallel_for(
            "tessera::docking::direct_terms",
            Policy(space, {0, 0},
                   {static_cast<int>(sums.extent(0)), static_cast<int>(sums.extent(1))}),
            *this);
    }
};

}  // namespace tessera::kernels
