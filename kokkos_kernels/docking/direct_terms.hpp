// Energy terms of single poses by direct sums. They are the reference for the transforms, and the
// result files report them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "kokkos_kernels/docking/voxelize.hpp"

namespace tessera::kernels {

/// sums[pose][channel] = sum_atoms receptor[channel](g v(atom) + t) * weight[channel](atom).
/// The sums are in double and in the order of the atoms, so the bits do not depend on the launch.
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

/// What direct sums need from a problem.
template <class Device>
struct DirectTermData {
    DeviceLigand<Device> ligand;
    RealGrids<Device> receptor;  ///< [channel][n^3], unweighted
    View1<DevicePermutation, Device> group;
    std::vector<int> term_of_channel;
    int n;
    double spacing;
};

/// Unweighted terms of poses; bases[i] is the base rotation of poses[i].
template <class Device>
std::vector<std::array<double, max_terms>>
direct_terms(const typename Device::execution_space& space, const DirectTermData<Device>& data,
             std::span<const PoseRecord> poses, std::span<const Quaternion> bases) {
    const std::size_t count = poses.size(), channels = data.term_of_channel.size();
    std::vector<std::array<double, max_terms>> result(count);
    if (count == 0) return result;
    const auto members = static_cast<std::uint32_t>(data.group.extent(0));
    std::vector<int> member, translation;
    View2<double, Device> rotations("pose_rotations", count, 9);
    auto host_rotations = Kokkos::create_mirror_view(rotations);
    for (std::size_t i = 0; i < count; ++i) {
        member.push_back(static_cast<int>(poses[i].rotation % members));
        translation.push_back(static_cast<int>(poses[i].voxel));
        const Matrix3 matrix = bases[i].matrix();
        for (int k = 0; k < 9; ++k) host_rotations(i, k) = matrix[k / 3][k % 3] / data.spacing;
    }
    Kokkos::deep_copy(rotations, host_rotations);
    const View2<double, Device> sums("sums", count, channels);
    DirectTerms<Device>{data.ligand,
                        data.receptor,
                        data.group,
                        rotations,
                        to_device<int, Device>(space, "member", member.data(), count),
                        to_device<int, Device>(space, "translation", translation.data(), count),
                        sums,
                        data.n}
        .launch(space);
    space.fence("tessera::docking: terms ready");
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t c = 0; c < channels; ++c)
            result[i][static_cast<std::size_t>(data.term_of_channel[c])] += host(i, c);
    return result;
}

}  // namespace tessera::kernels
