// Pose lists in ZDOCK's output format, which many scripts can read.
#pragma once

#include <array>
#include <string>

#include "docking/result/chosen_list.hpp"
#include "docking/result/dock_result.hpp"

namespace tessera::docking {

/// Euler angles (psi, theta, phi) in radians with R = Rz(psi) Rx(theta) Rz(phi).
std::array<double, 3> zxz_angles(const Matrix3& rotation);

/// Writes the format with four header lines and without an initial rotation of either partner: x' =
/// R (x - c_ligand) - spacing * T + c_receptor. T is the grid triple, with n subtracted from
/// components of n/2 and more. Scores are -energy, because readers sort in descending order. The
/// poses of the consensus lie between the points of the search's grid; they are written on a grid
/// that is 100 times as fine, and rounded by at most half its spacing in each direction. Throws
/// Error if `path` cannot be written.
void write_zdock(const std::string& path, const DockResult& result, const ChosenList& list,
                 const std::string& receptor_path, const std::string& ligand_path);

/// Whether a file has the format of write_zdock(), without an initial rotation of the receptor.
bool is_zdock_export(const std::string& path);

}  // namespace tessera::docking
