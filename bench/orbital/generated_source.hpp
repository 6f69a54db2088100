// The paper's kernel with the basis set written into its code.
#pragma once

#include <string>

#include "bench/orbital/paper_arrays.hpp"

namespace tessera::bench {

/// CUDA source of `paper_generated(x, y, z of the first point, step, nx, ny, nz, out)`. It reads
/// the __constant__ arrays `positions` [atom][4] and `wave` (coefficients). Shells and primitives
/// are unrolled, and exponents and contractions are literals. A thread takes `points` neighbours
/// along z.
std::string generated_source(const PaperArrays& arrays, int points);

}  // namespace tessera::bench
