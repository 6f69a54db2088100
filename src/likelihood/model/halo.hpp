// The halo of a model in the form that kernels take it.
#pragma once

#include "kokkos_kernels/likelihood/halo.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

kernels::Halo halo_of(const StreamModel& model);

/// Whether the model has the thick disk, as the 2018 model with a Hernquist profile does.
bool has_disk(const StreamModel& model);

}  // namespace tessera::likelihood
