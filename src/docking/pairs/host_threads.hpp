// The threads of parallel loops: a background thread is limited to its rank's share of the cores.
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

/// The number of threads of the parallel loops that the calling thread starts.
inline int max_threads() {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

}  // namespace tessera::docking
