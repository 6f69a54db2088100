// The quantile function of the standard normal distribution.
#pragma once

namespace tessera::likelihood {

/// The x with P(X <= x) = `share`, which must lie between 0 and 1; relative error below 1e-14.
double normal_quantile(double share);

}  // namespace tessera::likelihood
