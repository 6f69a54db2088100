// Whether a membrane leaves the ligand a place on the grid.
#pragma once

#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Whether the turned ligand has an allowed place on a grid with `n` points per axis, near the
/// receptor or not.
bool has_room(const kernels::HeightRule& rule, const Quaternion& rotation, int n, double spacing);

/// Throws Error if no rotation has room: the search would find no pose. Nothing is known of the
/// conformers of an ensemble after the first.
void require_room(const PreparedDocking& prepared);

}  // namespace tessera::docking
