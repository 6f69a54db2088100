// The poses that a pass over orbit members found, on the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/docking/score_limits.hpp"

namespace tessera::kernels {

/// The rotations of a pass: orbit members times bases. Transforms are ordered [member][base][set].
struct PassRotations {
    int first_member, members;
    int bases;                ///< of the batch, whose other places are empty
    std::int64_t first_base;  ///< number of the batch's first base
    int orbit;                ///< members of the whole orbit
};

template <class Device>
class PassPoses {
  public:
    /// Copies the poses of all transforms, [transform][place], from the device.
    PassPoses(const View2<float, Device>& score, const View2<int, Device>& voxel, int sets)
        : score_(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), score)),
          voxel_(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), voxel)),
          sets_(sets),
          poses_(static_cast<int>(score.extent(1))) {}

    /// Highest score of the last pose of any rotation, by set, or nothing if a rotation lacks poses
    /// within the limits. Rotations without a last pose do not count. A set with such rotations
    /// alone has ScoreLimits::none.
    std::optional<std::vector<float>> highest_last(const PassRotations& pass) const {
        std::vector<float> highest(sets_, ScoreLimits::beyond_limit);
        for (int row = 0; row < pass.members * bases_per_batch * sets_; ++row) {
            if (row / sets_ % bases_per_batch >= pass.bases) continue;
            for (int p = 0; p < poses_; ++p)
                if (score_(row, p) == ScoreLimits::beyond_limit) return std::nullopt;
            const float last = score_(row, poses_ - 1);
            if (std::isfinite(last)) highest[row % sets_] = std::max(highest[row % sets_], last);
        }
        std::ranges::replace(highest, ScoreLimits::beyond_limit, ScoreLimits::none);
        return highest;
    }

    /// Appends the poses, with translations in the receptor's frame. `may_lack_poses(transform)`
    /// says whether it is no failure if there is none. Throws TileFailure otherwise.
    template <class MayLackPoses>
    void collect(const PassRotations& pass, const std::vector<SignedPermutation>& group, int n,
                 const MayLackPoses& may_lack_poses, std::vector<PoseRecord>& found) const {
        for (int b = 0; b < pass.bases; ++b)
            for (int m = 0; m < pass.members; ++m)
                for (int s = 0; s < sets_; ++s) {
                    const int row = (m * bases_per_batch + b) * sets_ + s;
                    const int member = pass.first_member + m;
                    const std::int64_t rotation = (pass.first_base + b) * pass.orbit + member;
                    if (!std::isfinite(score_(row, 0)) && !may_lack_poses(row))
                        throw TileFailure(TileFailure::Reason::not_finite,
                                          "docking scores of rotation " + std::to_string(rotation));
                    for (int p = 0; p < poses_ && std::isfinite(score_(row, p)); ++p)
                        found.push_back({score_(row, p), static_cast<std::uint32_t>(rotation),
                                         turned_voxel(group[member], voxel_(row, p), n),
                                         static_cast<std::uint32_t>(s)});
                }
    }

  private:
    typename View2<float, Device>::HostMirror score_;
    typename View2<int, Device>::HostMirror voxel_;
    int sets_, poses_;
};

}  // namespace tessera::kernels
