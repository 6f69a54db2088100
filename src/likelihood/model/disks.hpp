// The exponential disks of a model, and the density of its halo at the Sun, which they are relative
// to. Formulas: docs/method/likelihood.md.
#pragma once

#include <array>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/likelihood/disk.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// Thin and thick. A disk that the model does not have is all zero.
using Disks = std::array<kernels::ExponentialDisk, kernels::most_disks>;
Disks disks_of(const StreamModel& model);

/// The density of the disks at a galactocentric position, kpc.
double disk_density(const Disks& disks, const Vec3& position);

double halo_at_sun(const StreamModel& model);

/// d ln halo_at_sun / d of the first numbers of parameter_names(): epsilon to c, and the shape of a
/// triaxial halo.
std::vector<double> halo_at_sun_slopes(const StreamModel& model);

}  // namespace tessera::likelihood
