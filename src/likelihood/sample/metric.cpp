#include "likelihood/sample/metric.hpp"

#include <utility>

#include "core/error.hpp"

namespace tessera::likelihood {

Metric::Metric(Matrix covariance) : covariance_(std::move(covariance)), lower_(covariance_.n) {
    auto factor = cholesky(covariance_);
    if (!factor)
        throw Error("a metric is not positive definite", "this is a bug", "report it",
                    ExitCode::internal);
    lower_ = std::move(*factor);
}

Point Metric::momentum(RandomStream& random) const {
    const std::size_t n = covariance_.n;
    Point p(n);
    for (double& x : p) x = random.normal();
    for (std::size_t i = n; i-- > 0;) {  // solves lower^T p = z
        for (std::size_t k = i + 1; k < n; ++k) p[i] -= lower_(k, i) * p[k];
        p[i] /= lower_(i, i);
    }
    return p;
}

Point Metric::displacement(RandomStream& random) const {
    Point z(covariance_.n);
    for (double& x : z) x = random.normal();
    return product(lower_, z);
}

}  // namespace tessera::likelihood
