#include "orbitals/basis/periodic_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/error.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/cartesian_order.hpp"

namespace tessera::orbitals {

namespace {

constexpr double share_of_tolerance = 0.01;
constexpr double least_share = 1e-14;  // bohr^-3/2, without screening
constexpr double most_groups = 0x1p21;

/// c_e with |value| <= sum_e c_e r^e exp(-a r^2), for the values of a group and their derivatives.
using DegreeBounds = std::array<double, io::highest_l + 3>;

/// The largest sums of |coefficients| of each degree, over all orbitals: a monomial of degree e is
/// at most r^e.
DegreeBounds largest_sums(const kernels::OrbitalProblem& problem,
                          const kernels::PrimitiveGroup& group) {
    DegreeBounds largest{};
    for (const std::vector<double>& row : problem.coefficients) {
        const double* c = row.data() + group.first;
        for (int e = 0; e <= group.l; ++e) {
            double sum = 0;
            for (int m = 0; m < (e + 1) * (e + 2) / 2; ++m) sum += std::abs(*c++);
            largest[static_cast<std::size_t>(e)] =
                std::max(largest[static_cast<std::size_t>(e)], sum);
        }
    }
    return largest;
}

/// Adds bounds of derivatives. With m = x^i y^j z^k and e = i + j + k, those of m exp(-a r^2) are
/// at most (e r^(e-1) + 2a r^(e+1)) exp(-a r^2), and the second ones at most (e(e-1) r^(e-2) +
/// 2a(2e+1) r^e + 4a^2 r^(e+2)) exp(-a r^2).
DegreeBounds with_derivatives(const DegreeBounds& values, int l, double a, int order) {
    DegreeBounds all = values;
    for (int degree = 0; degree <= l; ++degree) {
        const auto e = static_cast<std::size_t>(degree);
        const double c = values[e];
        if (order >= 1) {
            if (e >= 1) all[e - 1] += degree * c;
            all[e + 1] += 2 * a * c;
        }
        if (order >= 2) {
            if (e >= 2) all[e - 2] += degree * (degree - 1) * c;
            all[e] += 2 * a * (2 * degree + 1) * c;
            all[e + 2] += 4 * a * a * c;
        }
    }
    return all;
}

/// The largest value at the distance r and beyond. r^e exp(-a r^2) falls from r^2 = e / 2a on.
double beyond(const DegreeBounds& bounds, double a, double r) {
    double sum = 0;
    for (std::size_t e = 0; e < bounds.size(); ++e) {
        if (bounds[e] == 0) continue;
        const double s = std::max(r, std::sqrt(static_cast<double>(e) / (2 * a)));
        sum += bounds[e] * std::pow(s, static_cast<double>(e)) * std::exp(-a * s * s);
    }
    return sum;
}

/// The distance from the box beyond which all images of a group add up to at most `share` at any
/// point. Images are counted in shells of a fixed thickness.
double reach_of(const DegreeBounds& bounds, double a, const Lattice& lattice, const Box& box,
                double share) {
    const double step = 0.25 / std::sqrt(a);
    constexpr int least_shells = 16, most_shells = 400;  // a r^2 from 16 on falls fast
    std::vector<double> shells;
    for (int k = 0; k < most_shells; ++k) {
        shells.push_back(most_images(lattice, box, (k + 1) * step) * beyond(bounds, a, k * step));
        if (k >= least_shells && shells.back() < 1e-3 * share) break;
    }
    double sum = shells.back();  // bounds all further shells, each a third of the one before
    std::size_t k = shells.size();
    while (k > 0 && sum + shells[k - 1] <= share) sum += shells[--k];
    return static_cast<double>(k) * step;
}

Box box_of(const UniformGrid& grid) {
    const auto last = [](std::int64_t points) { return std::max<std::int64_t>(points, 1) - 1; };
    return {grid.origin, grid.point(last(grid.shape[0]), last(grid.shape[1]), last(grid.shape[2]))};
}

std::vector<double> reaches(const Lattice& lattice, const kernels::OrbitalProblem& problem,
                            const Box& box, double share) {
    std::vector<double> found(problem.groups.size());
#pragma omp parallel for schedule(dynamic, 64) if (found.size() > 64)
    for (std::size_t g = 0; g < found.size(); ++g) {
        const kernels::PrimitiveGroup& group = problem.groups[g];
        found[g] = reach_of(with_derivatives(largest_sums(problem, group), group.l, group.exponent,
                                             problem.derivatives),
                            group.exponent, lattice, box, share);
    }
    return found;
}

/// A group that another cell has, too.
struct Image {
    std::size_t source;  ///< the group
    Vec3 step;           ///< a vector of the lattice, not 0
};

/// All images that matter in the box of the grid.
std::vector<Image> images_of(const Lattice& lattice, const kernels::OrbitalProblem& problem) {
    const Box box = box_of(problem.grid);
    const auto groups = problem.groups.size();
    const double share =
        (problem.tolerance > 0 ? share_of_tolerance * problem.tolerance : least_share) /
        static_cast<double>(groups);
    const std::vector<double> reach = reaches(lattice, problem, box, share);
    double most = 0;
    for (const double r : reach) most += most_images(lattice, box, r);
    require_few_images(most);
    std::vector<Image> images;
    for (std::size_t g = 0; g < groups; ++g)
        for_images(lattice, problem.groups[g].center, box, reach[g], [&](Vec3 t) {
            if (dot(t, t) != 0) images.push_back({g, t});
        });
    return images;
}

/// The number of coefficients of an orbital. Groups follow each other in a row.
std::size_t width_of(const kernels::OrbitalProblem& problem) {
    if (problem.groups.empty()) return 0;
    const kernels::PrimitiveGroup& last = problem.groups.back();
    return static_cast<std::size_t>(last.first + kernels::monomials(last.l));
}

}  // namespace

void require_few_images(double images) {
    if (images > most_groups)
        throw Error("the neighbouring cells of a periodic system have too many functions",
                    fmt::format("up to {:.2g} groups of them matter, at most {:.2g} are possible",
                                images, most_groups),
                    "use a larger --tolerance, or --isolated for a molecule in a large cell");
}

ProblemSize size_with_images(const Lattice& lattice, const kernels::OrbitalProblem& problem) {
    ProblemSize size{problem.groups.size(), width_of(problem)};
    for (const Image& image : images_of(lattice, problem)) {
        ++size.groups;
        size.coefficients +=
            static_cast<std::size_t>(kernels::monomials(problem.groups[image.source].l));
    }
    return size;
}

void add_images(const Lattice& lattice, kernels::OrbitalProblem& problem) {
    if (problem.groups.empty()) return;
    const std::vector<Image> images = images_of(lattice, problem);
    std::size_t width = width_of(problem);
    for (const auto& [source, t] : images) {
        const kernels::PrimitiveGroup group = problem.groups[source];
        problem.groups.push_back(
            {group.center + t, group.exponent, group.l, static_cast<int>(width)});
        width += static_cast<std::size_t>(kernels::monomials(group.l));
    }
    if (static_cast<double>(width) * static_cast<double>(problem.coefficients.size()) >
        io::most_coefficients)
        throw Error("the neighbouring cells of a periodic system have too many functions",
                    "with them the orbitals have more than 2e9 coefficients",
                    "choose fewer orbitals, or use a larger --tolerance");
    for (std::vector<double>& row : problem.coefficients) {
        std::size_t place = row.size();
        row.resize(width);
        for (const Image& image : images) {
            const kernels::PrimitiveGroup& group = problem.groups[image.source];
            const int count = kernels::monomials(group.l);
            std::copy_n(row.data() + group.first, count, row.data() + place);
            place += static_cast<std::size_t>(count);
        }
    }
    problem.tolerance *= 1 - share_of_tolerance;
}

}  // namespace tessera::orbitals
