// The spectra that a pass over rotations reads and writes.
#pragma once

#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

template <class Device>
struct ScoreSpectra {
    Spectra<Device> receptor;  ///< [member * channels + channel], in a ReceptorOrder
    Spectra<Device> ligand;    ///< [base * channels + channel][frequency]
    Spectra<Device> scores;    ///< [(member * bases_per_batch + base) * sets + set][frequency]
};

}  // namespace tessera::kernels
