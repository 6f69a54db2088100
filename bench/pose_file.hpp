// Reads poses in the layout of /docking/consensus.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/hdf5/h5.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::bench {

/// Reads `rotation` [m,4] (quaternions w x y z) and `translation` [m,3] (A) from the root of the
/// file. Throws Error if one is missing or their numbers differ.
inline std::vector<kernels::RigidPose> read_poses(const std::string& path) {
    const auto file = io::h5::File::open(path);
    const auto q = file.root().open_dataset("rotation").read<double>().values;
    const auto t = file.root().open_dataset("translation").read<double>().values;
    if (q.size() / 4 != t.size() / 3 || q.size() % 4 != 0 || t.size() % 3 != 0)
        throw Error("'" + path + "' holds no poses",
                    std::to_string(q.size()) + " numbers of rotations, " +
                        std::to_string(t.size()) + " of translations",
                    "give four and three for each pose");
    std::vector<kernels::RigidPose> poses;
    for (std::size_t i = 0; 4 * i < q.size(); ++i)
        poses.push_back({{q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]},
                         {t[3 * i], t[3 * i + 1], t[3 * i + 2]}});
    return poses;
}

}  // namespace tessera::bench
