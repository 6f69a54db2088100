// Gauss-Legendre rules on [-1, 1]: the application's own, and the true one.
#pragma once

#include <vector>

namespace tessera::likelihood {

struct QuadratureRule {
    std::vector<double> nodes;  ///< ascending
    std::vector<double> weights;
};

/// The rule of the MilkyWay@Home application, to the last bit or two: its Newton iteration stops at
/// 3e-11 and takes P'_n of the weight from the iterate before the last, so that weights are off the
/// true ones by up to 1e-9 relative. Nodes are right to rounding. Needed to agree with it to 1e-12.
QuadratureRule milkyway_rule(int n);

/// Nodes and weights right to rounding.
QuadratureRule gauss_legendre_rule(int n);

}  // namespace tessera::likelihood
