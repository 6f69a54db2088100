// What a rank does on its host before the first tile of a frame.
#pragma once

#include "bench/orbital/bench_case.hpp"

namespace tessera::bench {

/// Prints milliseconds of folding, of finding out which orbitals need double precision and of the tables
/// of one orbital and of the first `orbitals`.
void time_set_up(const BenchCase& molecule, int orbitals);

}  // namespace tessera::bench
