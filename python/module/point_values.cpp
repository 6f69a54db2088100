#include "point_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tessera::python {

namespace {

/// Writes the monomials of degree <= l in the order of kernels::monomials(). Each degree follows
/// from the one before: all of it times x, its part without x times y, its last one times z.
void fill_monomials(Vec3 r, int l, double* out) {
    out[0] = 1;
    const double* before = out;  // the degree before: (d)(d + 1) / 2 monomials
    double* next = out + 1;
    for (int degree = 1; degree <= l; ++degree) {
        const int count = degree * (degree + 1) / 2;
        double* const begin = next;
        for (int i = 0; i < count; ++i) *next++ = r.x * before[i];
        for (int i = count - degree; i < count; ++i) *next++ = r.y * before[i];
        *next++ = r.z * before[count - 1];
        before = begin;
    }
}

/// The values of all primitives' monomials at a point, in the order of a row of coefficients.
class BasisAtPoint {
  public:
    explicit BasisAtPoint(const kernels::OrbitalProblem& problem) : problem_(problem) {
        int width = 0, highest = 0;
        for (const auto& group : problem.groups) {
            width = std::max(width, group.first + kernels::monomials(group.l));
            highest = std::max(highest, group.l);
        }
        values_.assign(static_cast<std::size_t>(width), 0);
        monomials_.resize(static_cast<std::size_t>(kernels::monomials(highest)));
    }

    void move_to(Vec3 point) {
        for (const auto& group : problem_.groups) {
            const Vec3 r = point - group.center;
            const double radial = std::exp(-group.exponent * dot(r, r));
            fill_monomials(r, group.l, monomials_.data());
            for (int m = 0; m < kernels::monomials(group.l); ++m)
                values_[static_cast<std::size_t>(group.first) + static_cast<std::size_t>(m)] =
                    radial * monomials_[static_cast<std::size_t>(m)];
        }
    }

    double orbital(std::size_t number) const {
        const auto& row = problem_.coefficients[number];
        double sum = 0;
        for (std::size_t i = 0; i < values_.size(); ++i) sum += row[i] * values_[i];
        return sum;
    }

  private:
    const kernels::OrbitalProblem& problem_;
    std::vector<double> values_, monomials_;
};

/// Calls visit(point, basis) for every point, on all threads.
template <class Visit>
void at_every_point(const kernels::OrbitalProblem& problem, std::span<const double> points,
                    const Visit& visit) {
    const auto count = static_cast<std::int64_t>(points.size() / 3);
#pragma omp parallel
    {
        BasisAtPoint basis(problem);
#pragma omp for schedule(static)
        for (std::int64_t i = 0; i < count; ++i) {
            const double* at = points.data() + 3 * i;
            basis.move_to({at[0], at[1], at[2]});
            visit(static_cast<std::size_t>(i), basis);
        }
    }
}

}  // namespace

kernels::OrbitalProblem problem_around(std::span<const double> points) {
    kernels::OrbitalProblem problem;
    problem.tolerance = 0;
    if (points.empty()) return problem;
    Vec3 low{points[0], points[1], points[2]}, high = low;
    for (std::size_t i = 3; i < points.size(); i += 3) {
        low = {std::min(low.x, points[i]), std::min(low.y, points[i + 1]),
               std::min(low.z, points[i + 2])};
        high = {std::max(high.x, points[i]), std::max(high.y, points[i + 1]),
                std::max(high.z, points[i + 2])};
    }
    problem.grid = {low, high - low, {2, 2, 2}};
    return problem;
}

void values_at_points(const kernels::OrbitalProblem& problem, std::span<const double> points,
                      std::span<double> out) {
    const std::size_t orbitals = problem.coefficients.size(), count = points.size() / 3;
    at_every_point(problem, points, [&](std::size_t point, const BasisAtPoint& basis) {
        for (std::size_t o = 0; o < orbitals; ++o) out[o * count + point] = basis.orbital(o);
    });
}

void density_at_points(const kernels::OrbitalProblem& problem, std::span<const double> weights,
                       std::span<const double> points, std::span<double> out) {
    at_every_point(problem, points, [&](std::size_t point, const BasisAtPoint& basis) {
        double sum = 0;
        for (std::size_t o = 0; o < weights.size(); ++o) {
            const double psi = basis.orbital(o);
            sum += weights[o] * psi * psi;
        }
        out[point] = sum;
    });
}

}  // namespace tessera::python
