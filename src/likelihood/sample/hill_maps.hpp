// Maps that take a point of one hill of a posterior to another hill.
#pragma once

#include <vector>

#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/small_matrix.hpp"

namespace tessera::likelihood {

/// Where a hill is and how it is shaped, as far as that is known.
struct HillShape {
    Point centre;
    Matrix covariance;  ///< positive definite
};

/// from + away goes to `to` + linear away.
struct AffineMap {
    Point from, to;
    Matrix linear;
    double log_volume = 0;  ///< the logarithm of its determinant

    Point operator()(const Point& at) const;
};

/// Maps from hill `from` to hill `to`. The maps back, in the same order, are their inverses.
///
/// 1. The optimal transport between normal densities of these shapes, which moves points as little
///    as possible (Peyre & Cuturi 2019, remark 2.31).
/// 2. A shift, which keeps the shape.
/// 3. The optimal transport of the coordinates in which the hills lie apart, given the others. The
///    others stay as they are, so it does not matter how they are distributed.
/// 4. The same of those in which they lie far apart, if these are fewer.
std::vector<AffineMap> hill_maps(const HillShape& from, const HillShape& to);

/// The symmetric, positive definite T with T from T = to.
Matrix transport(const Matrix& from, const Matrix& to);

/// The logarithm of the determinant of a symmetric, positive definite matrix.
double log_determinant(const Matrix& matrix);

}  // namespace tessera::likelihood
