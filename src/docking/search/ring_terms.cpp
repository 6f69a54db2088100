#include "docking/search/ring_terms.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::docking {

Terms PlacedTerms::operator()(const kernels::RigidPose& pose) const {
    const int n = problem_.n;
    const double steps = 1 / problem_.spacing;
    const Matrix3 turn = pose.rotation.matrix();
    const Vec3 shift = pose.translation - frame_.receptor_center;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // atom, grid point
    places.reserve(problem_.ligand.size());
    const auto index_of = [&](double at, int& index) {
        const auto step = static_cast<int>(std::round(steps * at));
        index = step < 0 ? step + n : step;
        return step > n / 2 - n && step <= n / 2;
    };
    for (std::size_t a = 0; a < problem_.ligand.size(); ++a) {
        const Vec3 at = turn * problem_.ligand[a] + shift;
        int x = 0, y = 0, z = 0;
        if (!index_of(at.x, x) || !index_of(at.y, y) || !index_of(at.z, z)) continue;
        places.emplace_back(a, (static_cast<std::size_t>(x) * n + y) * n + z);
    }
    Terms terms{};
    for (const kernels::EnergyChannel& channel : problem_.channels) {
        double sum = 0;
        for (const auto& [atom, point] : places)
            sum += static_cast<double>(channel.receptor[point]) *
                   static_cast<double>(channel.ligand[atom]);
        terms[static_cast<std::size_t>(channel.term)] += sum;
    }
    return terms;
}

Terms ring_terms(const PlacedTerms& terms, const kernels::RigidPose& next,
                 const kernels::Ring& ring) {
    Terms sum = terms(next);
    for (int k = 2; 2 * k <= ring.copies; ++k) {
        const Terms other = terms(kernels::ring_copy(next, ring, k));
        for (int t = 0; t < term_count; ++t)
            sum[t] += kernels::pairs_per_neighbor(k, ring.copies) * other[t];
    }
    return sum;
}

void close_rings(std::vector<PoseList>& lists, const PlacedTerms& terms, const kernels::Ring& ring,
                 const RotationSet& rotations) {
    for (PoseList& list : lists) {
#pragma omp parallel for schedule(dynamic, 16)
        for (std::size_t i = 0; i < list.poses.size(); ++i) {
            Pose& pose = list.poses[i];
            const auto placed = kernels::closed({rotations[pose.rotation], pose.translation}, ring);
            pose.translation = placed.translation;
            pose.terms = ring_terms(terms, placed, ring);
            pose.score = 0;
            for (int t = 0; t < term_count; ++t) pose.score += list.set.weights[t] * pose.terms[t];
        }
        std::ranges::sort(list.poses, {}, [](const Pose& pose) {
            return std::tuple(pose.score, pose.rotation, pose.voxel);
        });
    }
}

}  // namespace tessera::docking
