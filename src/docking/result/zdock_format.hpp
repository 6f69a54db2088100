// Pose lists in the layout of ZDOCK's output, for the many scripts that read it.
#pragma once

#include <array>
#include <string>

#include "docking/result/dock_result.hpp"

namespace tessera::docking {

/// Euler angles (psi, theta, phi) in radians with R = Rz(psi) Rx(theta) Rz(phi).
std::array<double, 3> zxz_angles(const Matrix3& rotation);

/// The layout with four header lines, no initial rotation of either partner:
/// x' = R (x - c_ligand) - spacing * T + c_receptor with T the grid triple, components from n/2 on
/// minus n. Scores are -energy: readers sort descending. Throws Error where `path` cannot be written.
void write_zdock(const std::string& path, const DockResult& result, const PoseList& list,
                 const std::string& receptor_path, const std::string& ligand_path);

/// Whether a file has the layout as write_zdock() writes it: without a first rotation of the receptor.
bool is_zdock_export(const std::string& path);

}  // namespace tessera::docking
