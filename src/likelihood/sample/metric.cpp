#include "likelihood/sample/metric.hpp"

#include <cmath>
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

void RunningCovariance::add(const Point& point) {
    ++count_;
    Point before(point.size());
    for (std::size_t i = 0; i < point.size(); ++i) {
        before[i] = point[i] - mean_[i];
        mean_[i] += before[i] / static_cast<double>(count_);
    }
    for (std::size_t i = 0; i < point.size(); ++i)
        for (std::size_t j = 0; j < point.size(); ++j)
            sums_(i, j) += before[i] * (point[j] - mean_[j]);
}

Matrix RunningCovariance::shrunk() const {
    const auto count = static_cast<double>(count_);
    const double kept = count / (count + 5);
    Matrix found(mean_.size());
    for (std::size_t i = 0; i < found.n; ++i)
        for (std::size_t j = 0; j < found.n; ++j)
            found(i, j) = (i == j ? 1 : kept) * (sums_(i, j) + sums_(j, i)) / 2 / (count - 1);
    return found;
}

}  // namespace tessera::likelihood
