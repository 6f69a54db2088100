// Exponential disks with scales of their own.
#pragma once

namespace tessera::kernels {

/// factor * exp(-in_plane R - across |Z|).
struct ExponentialDisk {
    double unit = 0;    ///< the factor of a disk as dense as the halo at the Sun; 0: no disk
    double factor = 0;  ///< unit times the share of the disk
    double in_plane = 0, across = 0;  ///< per kpc
};

inline constexpr int most_disks = 2;  ///< thin and thick

}  // namespace tessera::kernels
