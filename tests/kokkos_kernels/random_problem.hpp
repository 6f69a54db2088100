// Random correlation problems and their brute-force answers.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::kernels::testing {

struct ProblemSize {
    int n = 12;
    int atoms = 40;
    int eigen_terms = 4;
    int sets = 1;
    bool orbit = true;
};

/// Random grids and weights; atoms crowd into a ball so that several share grid points.
inline CorrelationProblem random_problem(const ProblemSize& size, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    CorrelationProblem problem;
    problem.n = size.n;
    problem.spacing = 1.25;
    const auto points = static_cast<std::size_t>(size.n) * size.n * size.n;
    for (int a = 0; a < size.atoms; ++a)
        problem.ligand.push_back({2 * normal(random), 2 * normal(random), 2 * normal(random)});
    const auto draw = [&](std::size_t count) {
        std::vector<float> values(count);
        for (float& value : values) value = static_cast<float>(normal(random));
        return values;
    };
    for (int c = 0; c < 3 + size.eigen_terms; ++c)
        problem.channels.push_back({draw(points), draw(size.atoms), c < 3 ? c : 3});
    if (size.orbit)
        for (const SignedPermutation& g : octahedral_group()) problem.group.push_back(g);
    else
        problem.group.push_back({});
    for (int s = 0; s < size.sets; ++s)
        problem.sets.push_back({0.4 + 0.1 * s, -0.4, 1.0 + s, s == 3 ? 0.0 : 0.7});
    return problem;
}

inline std::vector<Quaternion> random_rotations(int count, unsigned seed = 2) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<Quaternion> rotations;
    for (int i = 0; i < count; ++i) {
        const Quaternion q{normal(random), normal(random), normal(random), normal(random)};
        const double l = q.length();
        rotations.push_back({q.w / l, q.x / l, q.y / l, q.z / l});
    }
    return rotations;
}

/// Grid steps of an atom turned by the base rotation, then by g: rounding is done on the base.
inline std::array<int, 3> voxel_of(const CorrelationProblem& problem, Quaternion base, int member,
                                   int atom) {
    const Vec3 v = (1 / problem.spacing) * (base.matrix() * problem.ligand[atom]);
    return problem.group[member]({static_cast<int>(std::round(v.x)),
                                  static_cast<int>(std::round(v.y)),
                                  static_cast<int>(std::round(v.z))});
}

/// Terms of one translation by the definition, in double.
inline std::array<double, max_terms> direct_terms(const CorrelationProblem& problem,
                                                  Quaternion base, int member, int voxel) {
    const int n = problem.n;
    const auto wrap = [n](int i) { return ((i % n) + n) % n; };
    std::array<double, max_terms> terms{};
    for (int a = 0; a < static_cast<int>(problem.ligand.size()); ++a) {
        const auto v = voxel_of(problem, base, member, a);
        const int x = wrap(v[0] + voxel / (n * n)), y = wrap(v[1] + voxel / n % n),
                  z = wrap(v[2] + voxel % n);
        for (const EnergyChannel& channel : problem.channels)
            terms[channel.term] +=
                static_cast<double>(channel.receptor[(x * n + y) * n + z]) * channel.ligand[a];
    }
    return terms;
}

/// Whether the translation lies in the problem's plane; true if it has none.
inline bool in_plane(const CorrelationProblem& problem, Quaternion base, int voxel) {
    if (!problem.plane_point) return true;
    const auto t = wrapped_translation(voxel, problem.n);
    const double length = std::sqrt(base.x * base.x + base.y * base.y + base.z * base.z);
    const Vec3 from = Vec3{1.0 * t[0], 1.0 * t[1], 1.0 * t[2]} - *problem.plane_point;
    return std::abs(dot(from, {base.x, base.y, base.z})) / length <= 0.5;
}

/// Whether the translation obeys the problem's rule of heights; true if it has none.
inline bool at_allowed_height(const CorrelationProblem& problem, Quaternion base, int member,
                              int voxel) {
    if (!problem.heights) return true;
    const HeightRule& rule = *problem.heights;
    const auto t = wrapped_translation(voxel, problem.n);
    for (const int component : t)
        if (component == problem.n / 2) return false;
    const Vec3 shift = problem.spacing * Vec3{1.0 * t[0], 1.0 * t[1], 1.0 * t[2]};
    bool above = true, below = true, within = true;
    for (const Vec3& point : rule.points) {
        const Vec3 turned = problem.group[member].matrix() * (base.matrix() * point);
        const double height = dot(rule.normal, turned + shift);
        above = above && height >= rule.high;
        below = below && height <= rule.low;
        within = within && height >= rule.low && height <= rule.high;
    }
    return rule.inside ? within : above || below;
}

/// The K lowest scores at least the exclusion radius apart, by looking at every translation.
inline std::vector<PoseRecord> brute_force_poses(const CorrelationProblem& problem, Quaternion base,
                                                 int member, int set, std::uint32_t rotation) {
    const int n = problem.n, points = n * n * n;
    std::vector<double> score(points);
    for (int v = 0; v < points; ++v) {
        const auto terms = direct_terms(problem, base, member, v);
        for (int t = 0; t < max_terms; ++t) score[v] += problem.sets[set][t] * terms[t];
        if (!in_plane(problem, base, v) || !at_allowed_height(problem, base, member, v))
            score[v] = std::numeric_limits<double>::infinity();
    }
    const double reach = problem.exclusion / problem.spacing;
    std::vector<PoseRecord> poses;
    while (static_cast<int>(poses.size()) < problem.poses_per_rotation) {
        int best = -1;
        for (int v = 0; v < points; ++v)
            if (std::isfinite(score[v]) && (best < 0 || score[v] < score[best])) best = v;
        if (best < 0) break;
        poses.push_back({static_cast<float>(score[best]), rotation,
                         static_cast<std::uint32_t>(best), static_cast<std::uint32_t>(set)});
        for (int v = 0; v < points; ++v) {
            double d2 = 0;
            const int delta[3] = {v / (n * n) - best / (n * n), v / n % n - best / n % n,
                                  v % n - best % n};
            for (int d : delta) {
                d = std::min(std::abs(d), n - std::abs(d));
                d2 += d * d;
            }
            if (d2 < reach * reach) score[v] = std::numeric_limits<double>::infinity();
        }
    }
    return poses;
}

}  // namespace tessera::kernels::testing
