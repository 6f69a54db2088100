// The parts of a CorrelationProblem that live on the device.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"

namespace tessera::kernels {

/// Ligand atoms, their weights, and which atoms can share a grid point.
template <class Device>
struct DeviceLigand {
    View2<double, Device> positions;    ///< [atom][3], Angstrom from the ligand centre
    View2<float, Device> weights;       ///< [channel][atom]
    View1<int, Device> neighbor_begin;  ///< [atom + 1]
    View1<int, Device> neighbors;       ///< ascending per atom
};

/// A group member on the device.
struct DevicePermutation {
    int axis[3];
    int sign[3];

    /// (g v)[i] = sign[i] v[axis[i]] for v given by its components.
    KOKKOS_FUNCTION void operator()(int x, int y, int z, int* out) const {
        const int v[3] = {x, y, z};
        for (int i = 0; i < 3; ++i) out[i] = sign[i] * v[axis[i]];
    }
};

KOKKOS_INLINE_FUNCTION int wrap(int index, int n) {
    index %= n;
    return index < 0 ? index + n : index;
}

/// Grid index of a translation that a group member turns.
inline std::uint32_t turned_voxel(const SignedPermutation& member, int voxel, int n) {
    const auto t = member({voxel / (n * n), voxel / n % n, voxel % n});
    return static_cast<std::uint32_t>((wrap(t[0], n) * n + wrap(t[1], n)) * n + wrap(t[2], n));
}

/// Squared distance of poses of one rotation in grid steps, rounded up.
inline int exclusion_steps_squared(const CorrelationProblem& problem) {
    const double steps = problem.exclusion / problem.spacing;
    return static_cast<int>(std::ceil(steps * steps - 1e-9));
}

/// Grid steps that a rotated ligand atom can be from voxel 0 along an axis.
inline int ligand_reach(const CorrelationProblem& problem) {
    double farthest = 0;
    for (const Vec3& atom : problem.ligand) farthest = std::max(farthest, norm(atom));
    return static_cast<int>(std::ceil(farthest / problem.spacing + 0.5));
}

/// Pairs of atoms nearer than `cutoff`, as an ascending list per atom (cells sorted along x).
inline std::pair<std::vector<int>, std::vector<int>> neighbor_lists(const std::vector<Vec3>& atoms,
                                                                    double cutoff) {
    const int size = static_cast<int>(atoms.size());
    std::vector<int> by_x(atoms.size());
    for (int i = 0; i < size; ++i) by_x[i] = i;
    std::sort(by_x.begin(), by_x.end(), [&](int a, int b) { return atoms[a].x < atoms[b].x; });
    std::vector<std::vector<int>> lists(atoms.size());
    for (int i = 0; i < size; ++i)
        for (int j = i + 1; j < size && atoms[by_x[j]].x - atoms[by_x[i]].x <= cutoff; ++j)
            if (distance_squared(atoms[by_x[i]], atoms[by_x[j]]) <= cutoff * cutoff) {
                lists[by_x[i]].push_back(by_x[j]);
                lists[by_x[j]].push_back(by_x[i]);
            }
    std::vector<int> begin{0}, flat;
    for (auto& list : lists) {
        std::sort(list.begin(), list.end());
        flat.insert(flat.end(), list.begin(), list.end());
        begin.push_back(static_cast<int>(flat.size()));
    }
    if (flat.empty()) flat.push_back(0);  // avoids device arrays of length zero
    return {begin, flat};
}

template <class Device>
DeviceLigand<Device> make_device_ligand(const typename Device::execution_space& space,
                                        const CorrelationProblem& problem) {
    const std::size_t atoms = problem.ligand.size(), channels = problem.channels.size();
    DeviceLigand<Device> ligand;
    // The margin covers the rounding of rotated coordinates.
    const auto [begin, neighbors] =
        neighbor_lists(problem.ligand, std::sqrt(3.0) * problem.spacing + 1e-6);
    ligand.neighbor_begin =
        to_device<int, Device>(space, "neighbor_begin", begin.data(), begin.size());
    ligand.neighbors =
        to_device<int, Device>(space, "neighbors", neighbors.data(), neighbors.size());

    Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> positions("positions", atoms, 3);
    for (std::size_t a = 0; a < atoms; ++a) {
        positions(a, 0) = problem.ligand[a].x;
        positions(a, 1) = problem.ligand[a].y;
        positions(a, 2) = problem.ligand[a].z;
    }
    Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> weights("weights", channels,
                                                                          atoms);
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t a = 0; a < atoms; ++a) weights(c, a) = problem.channels[c].ligand[a];
    ligand.positions = View2<double, Device>("ligand_positions", atoms, 3);
    ligand.weights = View2<float, Device>("ligand_weights", channels, atoms);
    Kokkos::deep_copy(ligand.positions, positions);
    Kokkos::deep_copy(ligand.weights, weights);
    return ligand;
}

template <class Device>
View1<DevicePermutation, Device> make_device_group(const typename Device::execution_space& space,
                                                   const CorrelationProblem& problem) {
    std::vector<DevicePermutation> group;
    for (const SignedPermutation& g : problem.group)
        group.push_back({{g.axis[0], g.axis[1], g.axis[2]}, {g.sign[0], g.sign[1], g.sign[2]}});
    return to_device<DevicePermutation, Device>(space, "group", group.data(), group.size());
}

/// Copies one receptor grid into row `row`. On return, the host's grid may be freed.
template <class Device>
void copy_grid(const typename Device::execution_space& space, const RealGrids<Device>& grids,
               int row, const std::vector<float>& host) {
    Kokkos::View<const float*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
        host.data(), host.size());
    Kokkos::deep_copy(space, Kokkos::subview(grids, row, Kokkos::ALL), from);
    space.fence("tessera::docking: the host grid may go away");
}

}  // namespace tessera::kernels
