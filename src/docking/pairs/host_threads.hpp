// A thread of ours takes its rank's share of the cores, not all of them.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

namespace tessera::docking {

/// Threads of the loops that the calling thread starts from now on.
inline void use_threads([[maybe_unused]] int threads) {
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
}

}  // namespace tessera::docking
