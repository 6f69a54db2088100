#include "orbitals/basis/symmetric_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace tessera::orbitals {

namespace {

/// Diagonals of a matrix with three of them.
struct Tridiagonal {
    std::vector<double> middle;
    std::vector<double> beside;  ///< one fewer
};

/// v with (1 - 2 v v^T) x along the first axis, |v| = 1; all 0 if x lies there.
std::vector<double> reflection(std::span<const double> x) {
    std::vector<double> v(x.begin(), x.end());
    double rest = 0;
    for (std::size_t i = 1; i < v.size(); ++i) rest += v[i] * v[i];
    if (rest == 0) return std::vector<double>(v.size(), 0.0);
    const double length = std::sqrt(rest + v[0] * v[0]);
    v[0] += v[0] < 0 ? -length : length;
    const double scale = 1 / std::sqrt(rest + v[0] * v[0]);
    for (double& one : v) one *= scale;
    return v;
}

/// Reflections that reduce a matrix, and what is left of it. The reflection of step k changes the
/// components after k.
class Reduction {
  public:
    Reduction(std::vector<double>& a, std::size_t n) : n_(n) {
        for (std::size_t k = 0; k + 2 < n; ++k) {
            std::vector<double> column(n - k - 1);
            for (std::size_t i = 0; i < column.size(); ++i) column[i] = a[(k + 1 + i) * n + k];
            reflections_.push_back(reflection(column));
            const std::vector<double>& v = reflections_.back();
            double first = 0;  // the reflected column has its first component only
            for (std::size_t i = 0; i < v.size(); ++i) first += v[i] * column[i];
            result.beside.push_back(column[0] - 2 * v[0] * first);
            reflect_both_sides(a, k + 1, v);
            result.middle.push_back(a[k * n + k]);
        }
        for (std::size_t k = n < 2 ? 0 : n - 2; k < n; ++k) result.middle.push_back(a[k * n + k]);
        if (n > 1) result.beside.push_back(a[(n - 1) * n + n - 2]);
    }

    /// The rows of the matrix Q^T for which Q^T A Q has three diagonals.
    std::vector<double> rows() const {
        std::vector<double> q(n_ * n_, 0.0);
        for (std::size_t i = 0; i < n_; ++i) q[i * n_ + i] = 1;
        // Q = H_0 H_1 ..., so its transpose is the last reflection times those before it.
        for (std::size_t k = reflections_.size(); k-- > 0;) {
            const std::vector<double>& v = reflections_[k];
            for (std::size_t row = k + 1; row < n_; ++row) {
                double* const r = q.data() + row * n_ + k + 1;
                double along = 0;
                for (std::size_t i = 0; i < v.size(); ++i) along += v[i] * r[i];
                for (std::size_t i = 0; i < v.size(); ++i) r[i] -= 2 * along * v[i];
            }
        }
        return q;
    }

    Tridiagonal result;

  private:
    /// A -> H A H for the rows and columns from `first` on, which is A - 2 v w^T - 2 w v^T with
    /// w = A v - (v.Av) v.
    void reflect_both_sides(std::vector<double>& a, std::size_t first,
                            const std::vector<double>& v) const {
        const std::size_t m = v.size();
        std::vector<double> w(m, 0.0);
        for (std::size_t i = 0; i < m; ++i) {
            const double* const row = a.data() + (first + i) * n_ + first;
            for (std::size_t j = 0; j < m; ++j) w[i] += row[j] * v[j];
        }
        const double along = std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
        for (std::size_t i = 0; i < m; ++i) w[i] -= along * v[i];
        for (std::size_t i = 0; i < m; ++i) {
            double* const row = a.data() + (first + i) * n_ + first;
            for (std::size_t j = 0; j < m; ++j) row[j] -= 2 * (v[i] * w[j] + w[i] * v[j]);
        }
    }

    std::size_t n_;
    std::vector<std::vector<double>> reflections_;
};

/// One implicit QR step on the rows `low` to `high`, whose rotations also turn the rows of `q`.
void turn(Tridiagonal& t, std::size_t low, std::size_t high, std::vector<double>& q) {
    auto& d = t.middle;
    auto& e = t.beside;
    const std::size_t n = d.size();
    const double half = (d[high - 1] - d[high]) / 2, side = e[high - 1];
    const double shift =
        d[high] - side * side / (half + std::copysign(std::hypot(half, side), half));
    double x = d[low] - shift, z = e[low];
    for (std::size_t k = low; k < high; ++k) {
        const double length = std::hypot(x, z);
        const double c = length > 0 ? x / length : 1, s = length > 0 ? z / length : 0;
        if (k > low) e[k - 1] = length;
        const double a = d[k], b = d[k + 1], o = e[k];
        d[k] = c * c * a + 2 * c * s * o + s * s * b;
        d[k + 1] = s * s * a - 2 * c * s * o + c * c * b;
        e[k] = c * s * (b - a) + (c * c - s * s) * o;
        x = e[k];
        if (k + 1 < high) {
            z = s * e[k + 1];
            e[k + 1] *= c;
        }
        double *const first = q.data() + k * n, *const second = first + n;
        for (std::size_t i = 0; i < n; ++i) {
            const double u = first[i], v = second[i];
            first[i] = c * u + s * v;
            second[i] = c * v - s * u;
        }
    }
}

}  // namespace

Eigenpairs eigenpairs(std::vector<double> matrix, std::size_t size) {
    Reduction reduction(matrix, size);
    Tridiagonal& t = reduction.result;
    std::vector<double> q = reduction.rows();
    double largest = 0;
    for (const auto* part : {&t.middle, &t.beside})
        for (const double value : *part) largest = std::max(largest, std::abs(value));
    const double nothing = std::numeric_limits<double>::epsilon() * largest;
    std::size_t steps = 100 * size;  // two or three a value are needed
    for (std::size_t high = size; high-- > 1;)
        while (std::abs(t.beside[high - 1]) > nothing && steps-- > 0) {
            std::size_t low = high - 1;
            while (low > 0 && std::abs(t.beside[low - 1]) > nothing) --low;
            turn(t, low, high, q);
        }
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return t.middle[i]; });
    Eigenpairs pairs;
    for (const std::size_t i : order) {
        pairs.values.push_back(t.middle[i]);
        const auto row = q.begin() + static_cast<std::ptrdiff_t>(i * size);
        pairs.vectors.insert(pairs.vectors.end(), row, row + static_cast<std::ptrdiff_t>(size));
    }
    return pairs;
}

}  // namespace tessera::orbitals
