// What a rank does on its host before the first tile of a frame.
#pragma once

#include "bench/orbital/bench_case.hpp"

namespace tessera::bench {

/// Prints milliseconds of folding, of choosing the orbitals that need double precision, and of the
/// tables. It does so for one orbital and for the first `orbitals`.
void time_set_up(const BenchCase& molecule, int orbitals);

}  // namespace tessera::bench
