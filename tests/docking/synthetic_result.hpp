// A docking result with every field filled, for tests of what is written.
#pragma once

#include <algorithm>
#include <random>
#include <string>

#include "docking/result/dock_result.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::docking::testing {

/// A partner with two atoms a residue, in two segments, with every field filled.
inline io::Structure synthetic_partner(const std::string& chain, int residues) {
    io::Structure partner;
    for (int i = 0; i < 2 * residues; ++i) {
        io::AtomRecord atom;
        atom.name = i % 2 == 0 ? "CA" : "SE \"x'";
        atom.residue = "MET";
        atom.variant = "MSE";
        atom.chain = i < residues ? chain : "";
        atom.residue_number = 10 - i / 2;
        atom.insertion_code = i / 2 == 1 ? 'B' : ' ';
        atom.segment = i < residues ? 0 : 1;
        atom.residue_index = i / 2;
        atom.element = i % 2 == 0 ? "C" : "SE";
        atom.b_factor = 0.1 * i;
        atom.position = {1.001 * i, -99999.5, 0.1 + i};
        partner.atoms.push_back(atom);
    }
    return partner;
}

/// Sets that are not in alphabetical order; translations are those of the voxels.
inline DockResult synthetic_result(int n = 48, double spacing = 1.2) {
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    DockResult result;
    result.frame = {.receptor_center = {12.345, -6.789, 100.001},
                    .ligand_center = {-40.25, 3.5, 9.125},
                    .spacing = spacing,
                    .n = n};
    result.receptor_sha256 = "aa11";
    result.ligand_sha256 = "bb22";
    for (int r = 0; r < 40; ++r) {
        Quaternion q{std::abs(normal(random)), normal(random), normal(random), normal(random)};
        const double length = q.length();
        result.rotations.push_back({q.w / length, q.x / length, q.y / length, q.z / length});
    }
    // No rotation, turns about z alone (theta = 0) and about axes in the xy plane by 180 degrees.
    result.rotations[0] = {1, 0, 0, 0};
    result.rotations[1] = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
    result.rotations[2] = {0, 1, 0, 0};
    result.rotations[3] = {0, 0.6, 0.8, 0};
    result.rotations[4] = {0, 0, 0, 1};
    for (const char* name : {"vdw", "balanced"}) {
        PoseList list{{name, {0.4, -0.4, 600, 1.5}}, {}};
        for (int i = 0; i < 40; ++i) {
            Pose pose;
            pose.rotation = i;
            pose.voxel = i == 0   ? 0
                         : i == 1 ? n / 2  // the farthest step, where the sign is a convention
                                  : static_cast<std::int64_t>(random() % (n * n * n));
            const auto t = kernels::wrapped_translation(pose.voxel, n);
            pose.translation =
                result.frame.receptor_center + spacing * Vec3{1.0 * t[0], 1.0 * t[1], 1.0 * t[2]};
            for (int k = 0; k < term_count; ++k) {
                pose.terms[k] = normal(random);
                pose.score += list.set.weights[k] * pose.terms[k];
            }
            list.poses.push_back(pose);
        }
        std::ranges::sort(list.poses, {}, &Pose::score);
        result.lists.push_back(list);
        result.clusters.push_back({{3, {1, 3, 7}}, {0, {0, 2}}});
    }
    result.partners = {synthetic_partner("A", 5), synthetic_partner("long chain", 3)};
    return result;
}

}  // namespace tessera::docking::testing
