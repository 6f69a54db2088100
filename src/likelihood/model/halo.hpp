// The halo of a model in the form that kernels take it.
#pragma once

#include <array>

#include "kokkos_kernels/likelihood/halo.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

kernels::Halo halo_of(const StreamModel& model);

/// Directions of the axes of a triaxial halo in the Galaxy, as rows: those of X, Y and Z, turned by
/// yaw about Z, by pitch about the new Y and by roll about the new X.
Matrix3 halo_axes(const io::Background& background);

/// The axes about which yaw, pitch and roll turn the halo, along the axes of the halo.
std::array<Vec3, 3> turning_axes(const io::Background& background);

/// Whether the model has the fixed thick disk, as the 2018 model with a Hernquist profile does
/// unless it has disks of its own (disks.hpp).
bool has_disk(const StreamModel& model);

}  // namespace tessera::likelihood
