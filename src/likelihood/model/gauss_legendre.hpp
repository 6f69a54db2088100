// Gauss-Legendre rules on [-1, 1]: that of the MilkyWay@Home application, and the correct one.
#pragma once

#include <vector>

namespace tessera::likelihood {

struct QuadratureRule {
    std::vector<double> nodes;  ///< ascending
    std::vector<double> weights;
};

/// The rule of the MilkyWay@Home application, to the last bit or two. Its Newton iteration stops at
/// 3e-11 and uses P'_n of the iterate before the last for the weight. Its weights therefore have
/// relative errors of up to 1e-9; its nodes are correct to rounding. Agreement with the application
/// to 1e-12 needs this rule.
QuadratureRule milkyway_rule(int n);

/// The rule with nodes and weights that are correct to rounding.
QuadratureRule gauss_legendre_rule(int n);

}  // namespace tessera::likelihood
