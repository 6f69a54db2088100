// Limits a background thread to its rank's share of the cores.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

namespace tessera::docking {

/// Sets the number of threads for the parallel loops that the calling thread starts from now on.
inline void use_threads([[maybe_unused]] int threads) {
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
}

}  // namespace tessera::docking
