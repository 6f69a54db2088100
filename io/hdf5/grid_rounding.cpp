#include "io/hdf5/grid_rounding.hpp"

#include <cmath>
#include <limits>

namespace tessera::io {

Error not_finite(const std::string& name) {
    return Error("cannot store '" + name + "' with a bounded error", "a value is not finite",
                 "leave --compress-error out");
}

template <class Real>
void round_within(std::span<Real> values, double largest_error, const std::string& name) {
    int exponent = 0;
    std::frexp(2 * largest_error, &exponent);
    const double step = std::ldexp(0.5, exponent);  // at most 2 * largest_error
    // From here on, all numbers of the type are multiples of the step.
    const double coarse = std::ldexp(step, std::numeric_limits<Real>::digits);
    for (Real& value : values) {
        const double exact = value;
        if (!std::isfinite(exact)) throw not_finite(name);
        // Adding 0 removes the sign of zeros, which would only take space.
        if (std::abs(exact) < coarse)
            value = static_cast<Real>(std::nearbyint(exact / step) * step + 0.0);
    }
}

template void round_within(std::span<float>, double, const std::string&);
template void round_within(std::span<double>, double, const std::string&);

}  // namespace tessera::io
