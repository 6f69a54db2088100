// Molecules for tests of the refinement, and its energy by the definition.
#pragma once

#include <cmath>
#include <random>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/device/views.hpp"  // KOKKOS_ENABLE_CUDA, without which no test would see
                                            // the device
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::kernels::testing {

/// The backend of this build that refines most poses.
inline Backend backend() {
#ifdef KOKKOS_ENABLE_CUDA
    return Backend::cuda;
#else
    return Backend::openmp;
#endif
}

inline Vec3 place(const RigidPose& pose, Vec3 x) {
    return pose.rotation.matrix() * x + pose.translation;
}

/// Two balls of random atoms; four types with a random symmetric table.
inline RefineProblem random_pair(int receptor_atoms, int ligand_atoms, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    RefineProblem problem;
    const auto fill = [&](std::vector<RefineAtom>& atoms, int count, double radius) {
        while (static_cast<int>(atoms.size()) < count) {
            const Vec3 p{uniform(random), uniform(random), uniform(random)};
            if (norm(p) > 1) continue;
            atoms.push_back({radius * p, 2 + 0.4 * uniform(random),
                             random() % 3 == 0 ? 0.0 : uniform(random),
                             static_cast<int>(random() % 4), random() % 2 == 0});
        }
    };
    fill(problem.receptor, receptor_atoms, 14);
    fill(problem.ligand, ligand_atoms, 8);
    problem.types = 4;
    problem.pair_energies.resize(16);
    for (int s = 0; s < 4; ++s)
        for (int t = 0; t <= s; ++t)
            problem.pair_energies[4 * s + t] = problem.pair_energies[4 * t + s] = uniform(random);
    problem.parameters.weights.dispersion = 0.7;
    return problem;
}

/// A ball of random atoms that is receptor and ligand.
inline RefineProblem random_protein(int copies, int atoms) {
    RefineProblem problem = random_pair(160, atoms, 5);
    problem.ring = {copies, {3, -2, 1}};
    problem.receptor = problem.ligand;
    for (RefineAtom& atom : problem.receptor) atom.position = atom.position + problem.ring.center;
    return problem;
}

/// Poses whose ligand overlaps the receptor's edge.
inline std::vector<RigidPose> random_poses(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<RigidPose> poses;
    for (int i = 0; i < count; ++i) {
        const Quaternion q{normal(random), normal(random), normal(random), normal(random)};
        const Vec3 v{normal(random), normal(random), normal(random)};
        const double l = q.length();
        poses.push_back({{q.w / l, q.x / l, q.y / l, q.z / l}, (18 / norm(v)) * v});
    }
    return poses;
}

inline double falls(double r, double full, double end) {
    if (r <= full) return 1;
    if (r >= end) return 0;
    const double t = (r * r - full * full) / (end * end - full * full);
    return 1 - 3 * t * t + 2 * t * t * t;
}

/// Terms of a pose: a double loop over all atoms, docs/method/docking-refinement.md word by word.
inline std::array<double, refine_term_count> brute_force_terms(const RefineProblem& problem,
                                                               const RigidPose& pose) {
    const RefineParameters& p = problem.parameters;
    std::array<double, refine_term_count> terms{};
    const Matrix3 rotation = pose.rotation.matrix();
    for (const RefineAtom& b : problem.ligand) {
        const Vec3 at = rotation * b.position + pose.translation;
        double contacts = 0;
        for (const RefineAtom& a : problem.receptor) {
            const double r = std::max(0.1, norm(at - a.position)), sum = a.radius + b.radius;
            const double overlap = std::max(0.0, 1 - std::pow(r / (p.clash_scale * sum), 2));
            terms[a.on_surface && b.on_surface ? clash_term : buried_clash_term] +=
                overlap * overlap;
            contacts += falls(r, p.contact_full, p.contact_end);
            const double ratio = std::min(1.0, std::pow(sum / r, 6));
            const double reach = falls(r, p.outer_full, p.outer_end);
            terms[dispersion_term] += (ratio * ratio - 2 * ratio) * reach;
            const double d2 = p.born_radius * p.born_radius;
            const double charges =
                a.charge * b.charge * reach / std::sqrt(r * r + d2 * std::exp(-r * r / (4 * d2)));
            const double near = falls(r, p.near_full, p.near_end);
            terms[charges < 0 ? near_attraction_term : near_repulsion_term] += charges * near;
            terms[charges < 0 ? far_attraction_term : far_repulsion_term] += charges * (1 - near);
            terms[pair_term] += problem.pair_energies[problem.types * a.type + b.type] *
                                falls(r, p.pair_full, p.pair_end);
        }
        terms[contact_term] += contacts;
        terms[burial_term] += contacts / (contacts + p.covered);
    }
    return terms;
}

/// The minimised energy out of the terms.
inline double weighted(const RefineWeights& w, const std::array<double, refine_term_count>& terms) {
    return w.clash * terms[clash_term] + w.buried_clash * terms[buried_clash_term] +
           w.contact * terms[contact_term] + w.dispersion * terms[dispersion_term] +
           w.electrostatics * (terms[near_attraction_term] + terms[near_repulsion_term] +
                               terms[far_attraction_term] + terms[far_repulsion_term]) +
           w.pair * terms[pair_term];
}

/// The pose, first turned by the rotation vector about the ligand's centre, then shifted.
inline RigidPose moved_pose(const RigidPose& pose, Vec3 turn, Vec3 shift) {
    const double angle = norm(turn), s = angle > 0 ? std::sin(angle / 2) / angle : 0;
    const Quaternion q{std::cos(angle / 2), s * turn.x, s * turn.y, s * turn.z};
    return {q * pose.rotation, pose.translation + shift};
}

}  // namespace tessera::kernels::testing
