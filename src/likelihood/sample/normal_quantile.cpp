#include "likelihood/sample/normal_quantile.hpp"

#include <cmath>
#include <numbers>

namespace tessera::likelihood {

double normal_quantile(double share) {
    if (share > 0.5) return -normal_quantile(1 - share);
    if (share == 0.5) return 0;
    // A first guess (Abramowitz & Stegun 1964, 26.2.23, error below 4.5e-4), then Halley's steps.
    const double t = std::sqrt(-2 * std::log(share));
    double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
               t;
    for (int i = 0; i < 3; ++i) {
        const double below = std::erfc(-x / std::numbers::sqrt2) / 2;
        const double step = (below - share) * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
        x -= step / (1 + x * step / 2);
    }
    return x;
}

}  // namespace tessera::likelihood
