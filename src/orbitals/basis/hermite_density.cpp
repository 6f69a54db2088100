#include "orbitals/basis/hermite_density.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/basis/hermite_cuts.hpp"
#include "orbitals/basis/hermite_expansion.hpp"

namespace tessera::orbitals {

namespace {

using kernels::hermite_count;
using kernels::hermite_index;
using kernels::OrbitalProblem;
using kernels::PrimitiveGroup;

/// Two groups of primitives, and a bound for the potential of their product.
struct GroupPair {
    int left = 0, right = 0;
};

/// The powers of all monomials of degree <= l, in the order of OrbitalProblem.
std::vector<std::array<int, 3>> powers_up_to(int l) {
    std::vector<std::array<int, 3>> powers;
    for (int degree = 0; degree <= l; ++degree)
        for (int i = degree; i >= 0; --i)
            for (int j = degree - i; j >= 0; --j) powers.push_back({i, j, degree - i - j});
    return powers;
}

/// A group's part of every weighted orbital is at most `height` exp(-exponent |r - R|^2), in the
/// sense of Cauchy and Schwarz: the root of the sum over orbitals of |weight| times its square.
struct GroupBound {
    double exponent = 0, height = 0;
};

/// x^i exp(-e x^2) is at most (i / (2 e))^(i/2) exp(-i/2). A quarter of the exponent pays for the
/// monomials.
GroupBound bound_of(const OrbitalProblem& problem, const std::vector<double>& weights, int g) {
    const PrimitiveGroup& group = problem.groups[static_cast<std::size_t>(g)];
    const double spent = group.l == 0 ? 0 : group.exponent / 4;
    GroupBound bound{group.exponent - spent, 0};
    auto place = static_cast<std::size_t>(group.first);
    for (const auto& powers : powers_up_to(group.l)) {
        double square = 0, largest = 1;
        for (std::size_t o = 0; o < weights.size(); ++o)
            square += std::abs(weights[o]) * problem.coefficients[o][place] *
                      problem.coefficients[o][place];
        for (const int i : powers)
            if (i > 0) largest *= std::pow(i / (2 * spent), 0.5 * i) * std::exp(-0.5 * i);
        bound.height += largest * std::sqrt(square);
        ++place;
    }
    return bound;
}

/// The pairs whose potential may exceed `share` somewhere. A Gaussian of exponent p and height 1
/// has the potential 2 pi / p at its centre, and less elsewhere.
std::vector<GroupPair> near_pairs(const OrbitalProblem& problem, const std::vector<double>& weights,
                                  double share) {
    const int count = static_cast<int>(problem.groups.size());
    std::vector<GroupBound> bounds(problem.groups.size());
#pragma omp parallel for
    for (int g = 0; g < count; ++g)
        bounds[static_cast<std::size_t>(g)] = bound_of(problem, weights, g);
    std::vector<GroupPair> pairs;
    for (int g = 0; g < count; ++g)
        for (int h = g; h < count; ++h) {
            const auto left = static_cast<std::size_t>(g), right = static_cast<std::size_t>(h);
            const double a = bounds[left].exponent, b = bounds[right].exponent;
            const double square =
                distance_squared(problem.groups[left].center, problem.groups[right].center);
            const double largest = 2 * bounds[left].height * bounds[right].height * 2 *
                                   std::numbers::pi / (a + b) * std::exp(-a * b / (a + b) * square);
            if (!(largest <= share)) pairs.push_back({g, h});
        }
    return pairs;
}

/// Makes products of pairs of groups.
class ProductMaker {
  public:
    ProductMaker(const OrbitalProblem& problem, const std::vector<double>& weights)
        : problem_(problem), weights_(weights) {
        for (int l = 0; l <= io::highest_l; ++l) powers_.push_back(powers_up_to(l));
    }

    HermiteTerms make(GroupPair pair) const {
        const PrimitiveGroup& left = problem_.groups[static_cast<std::size_t>(pair.left)];
        const PrimitiveGroup& right = problem_.groups[static_cast<std::size_t>(pair.right)];
        const double a = left.exponent, b = right.exponent, p = a + b;
        HermiteTerms terms;
        terms.product.center = (1 / p) * (a * left.center + b * right.center);
        terms.product.exponent = p;
        terms.product.degree = left.l + right.l;
        terms.coefficients.resize(static_cast<std::size_t>(hermite_count(left.l + right.l)));
        expand(left, right, terms.coefficients);
        const double times = pair.left == pair.right ? 1 : 2;
        const double overlap = std::exp(-a * b / p * distance_squared(left.center, right.center));
        scale(terms, -times * overlap * 2 * std::numbers::pi / p);
        return terms;
    }

  private:
    /// The weighted products of the coefficients of both groups, [left][right].
    std::vector<double> density(const PrimitiveGroup& left, const PrimitiveGroup& right) const {
        const auto rows = powers_[static_cast<std::size_t>(left.l)].size();
        const auto columns = powers_[static_cast<std::size_t>(right.l)].size();
        std::vector<double> block(rows * columns);
        for (std::size_t o = 0; o < weights_.size(); ++o) {
            const double* const from = problem_.coefficients[o].data() + left.first;
            const double* const with = problem_.coefficients[o].data() + right.first;
            for (std::size_t i = 0; i < rows; ++i) {
                const double weight = weights_[o] * from[i];
                for (std::size_t j = 0; j < columns; ++j)
                    block[i * columns + j] += weight * with[j];
            }
        }
        return block;
    }

    void expand(const PrimitiveGroup& left, const PrimitiveGroup& right,
                std::vector<double>& to) const {
        const std::vector<double> block = density(left, right);
        const Vec3 apart = left.center - right.center;
        const HermiteExpansion x(left.l, right.l, apart.x, left.exponent, right.exponent),
            y(left.l, right.l, apart.y, left.exponent, right.exponent),
            z(left.l, right.l, apart.z, left.exponent, right.exponent);
        const double* weight = block.data();
        for (const auto& m : powers_[static_cast<std::size_t>(left.l)])
            for (const auto& n : powers_[static_cast<std::size_t>(right.l)]) {
                const double* const ex = x.at(m[0], n[0]);
                const double* const ey = y.at(m[1], n[1]);
                const double* const ez = z.at(m[2], n[2]);
                for (int t = 0; t <= m[0] + n[0]; ++t)
                    for (int u = 0; u <= m[1] + n[1]; ++u) {
                        const double factor = *weight * ex[t] * ey[u];
                        for (int v = 0; v <= m[2] + n[2]; ++v)
                            to[static_cast<std::size_t>(hermite_index(t, u, v))] += factor * ez[v];
                    }
                ++weight;
            }
    }

    /// Multiplies by `factor` and by sqrt(2p)^(t+u+v), since kernels work with sqrt(2p) (r - P).
    static void scale(HermiteTerms& terms, double factor) {
        const double step = std::sqrt(2 * terms.product.exponent);
        std::size_t place = 0;
        for (int degree = 0; degree <= terms.product.degree; ++degree) {
            const auto end = static_cast<std::size_t>(hermite_count(degree));
            for (; place < end; ++place) terms.coefficients[place] *= factor;
            factor *= step;
        }
    }

    const OrbitalProblem& problem_;
    const std::vector<double>& weights_;
    std::vector<std::vector<std::array<int, 3>>> powers_;
};

}  // namespace

void require_isolated(const io::Wavefunction& wavefunction) {
    if (wavefunction.lattice)
        throw Error("there is no electrostatic potential of the periodic system of '" +
                        io::one_line(wavefunction.path) + "'",
                    "the sum over its cells does not converge by itself",
                    "add --isolated for a molecule in a large cell");
}

kernels::PotentialProblem potential_problem(const io::Wavefunction& wavefunction,
                                            const std::vector<double>& weights, double tolerance) {
    require_isolated(wavefunction);
    std::vector<int> occupied;
    std::vector<double> occupations;
    for (std::size_t o = 0; o < weights.size(); ++o) {
        if (weights[o] == 0) continue;
        occupied.push_back(static_cast<int>(o));
        occupations.push_back(weights[o]);
    }
    OrbitalProblem orbitals;
    fold_orbitals(wavefunction, occupied, orbitals);
    const auto groups = static_cast<double>(orbitals.groups.size());
    const double screened = 0.1 * tolerance;  // spent on pairs that are not even expanded
    const auto pairs = near_pairs(orbitals, occupations, screened / (groups * (groups + 1) / 2));
    const ProductMaker maker(orbitals, occupations);
    std::vector<HermiteTerms> products(pairs.size());
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t i = 0; i < pairs.size(); ++i) products[i] = maker.make(pairs[i]);
    kernels::PotentialProblem problem;
    problem.neglected = screened + cut_terms(products, tolerance - screened);
    pack_products(products, problem);
    problem.charges.reserve(wavefunction.nuclei.size());
    for (const io::Nucleus& nucleus : wavefunction.nuclei)
        problem.charges.push_back({nucleus.position, nucleus.charge_without_core()});
    return problem;
}

}  // namespace tessera::orbitals
