// Input of the likelihood's kernels: tables of a wedge, and the densities of one parameter set.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/likelihood/disk.hpp"
#include "kokkos_kernels/likelihood/halo.hpp"
#include "kokkos_kernels/likelihood/track.hpp"

namespace tessera::kernels {

enum class Precision {
    double_precision,
    single_compensated,  ///< integrals in FP32 at every point, compensated FP32 sums
    single_plain,        ///< one running FP32 sum per column, to show what compensation does
};

/// The nodes of an area along any line of sight, and its columns. Column c has mu index c /
/// nu_steps and nu index c % nu_steps. It looks along the unit vector
/// nu_cos (mu_cos frame[0] + mu_sin frame[1]) + nu_sin frame[2].
struct AreaTables {
    std::vector<double> radius;  ///< kpc from the Sun, positive, in any order
    std::vector<double> weight;  ///< factor of the density at each radius
    std::vector<double> mu_cos, mu_sin;
    std::vector<double> nu_cos, nu_sin, nu_weight;
    std::vector<double> sky;  ///< [column] further factor, 0 to 1; empty: 1

    std::int64_t columns() const {
        return static_cast<std::int64_t>(mu_cos.size()) * static_cast<std::int64_t>(nu_cos.size());
    }
};

struct WedgeTables {
    std::array<Vec3, 3> frame;  ///< galactic axes of the stripe's coordinates
    Vec3 sun;                   ///< galactocentric, kpc
    std::vector<AreaTables> areas;
};

/// A Gaussian around an axis, which is straight or a track.
struct Cylinder {
    Vec3 axis, centre;
    double inverse_two_sigma2 = 0;       ///< kpc^-2
    std::vector<TrackPiece> track = {};  ///< if it has pieces, they take the place of the axis
};

/// halo * profile(rg) + disk * exp(-R / 3.5 kpc - |Z| / 0.7 kpc), with the rg of halo.hpp, and
/// disks with scales of their own.
struct BackgroundDensity {
    Halo shape;
    double halo = 1, disk = 0;
    std::array<ExponentialDisk, most_disks> disks = {};
    bool has_disks() const {
        return std::ranges::any_of(disks, [](const auto& one) { return one.unit != 0; });
    }
};

/// Component 0 is the background, 1 the first stream.
struct DensityModel {
    BackgroundDensity background;
    std::vector<Cylinder> streams;
    std::size_t components() const { return 1 + streams.size(); }
};

/// Stars and the nodes along their lines of sight (see likelihood/model/radial_nodes.hpp). Node i
/// of a star at `distance` has radius distance * ratio[i] and weight
/// along * weight[i] * exp(-offset[i]^2 (offset[i] <= 0 ? faint : bright)).
struct StarTable {
    std::vector<double> offset, ratio, weight;
    std::vector<Vec3> direction;  ///< unit vectors
    std::vector<double> distance, along, faint, bright;
};

}  // namespace tessera::kernels
