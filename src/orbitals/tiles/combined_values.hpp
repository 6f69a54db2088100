// The values of a combination on a grid.
#pragma once

#include <vector>

#include "core/compensated_sum.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "orbitals/tiles/combined_rows.hpp"

namespace tessera::orbitals {

/// The numbers of all rows of a combination.
std::vector<int> all_rows(const CombinedRows& rows);

/// Whether the problem of a combination is in double precision: a difference of densities loses
/// digits, so squares are always added in double precision.
bool needs_double(const CombinedRows& rows, bool double_precision);

/// Evaluates a combination, whose problem is loaded, on a block: [z, y, x]. `out` takes float, or
/// double if the run asks for `double_precision`. It lies in host memory, or is null. Returns the
/// sum over the points: of the values of densities, or of psi^2. A combination without rows is 0.
CompensatedSum<double> combined_values(kernels::OrbitalValues& evaluator, const CombinedRows& rows,
                                       const kernels::PointBlock& block, bool double_precision,
                                       void* out);

}  // namespace tessera::orbitals
