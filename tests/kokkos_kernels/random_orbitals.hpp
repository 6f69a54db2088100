// Random groups and the plain sum over them.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels::testing {

struct GroupRanges {
    int groups = 40, orbitals = 2, max_l = 4;
    double low_exponent = 0.05, high_exponent = 20;  ///< drawn evenly in the logarithm
    double coefficient = 1;
    double box = 6;  ///< side of the cube that holds the centres, bohr
};

inline OrbitalProblem random_orbitals(const GroupRanges& ranges, unsigned seed) {
    std::mt19937 random(seed);
    const auto uniform = [&] { return static_cast<double>(random()) * 0x1p-32; };
    OrbitalProblem problem;
    int count = 0;
    for (int g = 0; g < ranges.groups; ++g) {
        PrimitiveGroup group;
        group.center = {ranges.box * (uniform() - 0.5), ranges.box * (uniform() - 0.5),
                        ranges.box * (uniform() - 0.5)};
        group.exponent =
            ranges.low_exponent * std::pow(ranges.high_exponent / ranges.low_exponent, uniform());
        group.l = static_cast<int>(uniform() * (ranges.max_l + 1));
        group.first = count;
        count += monomials(group.l);
        problem.groups.push_back(group);
    }
    problem.coefficients.resize(ranges.orbitals);
    for (auto& row : problem.coefficients)
        for (int m = 0; m < count; ++m)
            row.push_back(ranges.coefficient * (2 * uniform() - 1) * std::pow(10, -2 * uniform()));
    problem.grid = {{-4.1, -3.9, -4.3}, {0.21, 0.23, 0.19}, {37, 35, 43}};
    return problem;
}

/// psi at a point: every group, every monomial, in double.
inline double plain_sum(const OrbitalProblem& problem, int orbital, Vec3 point) {
    double sum = 0;
    for (const PrimitiveGroup& group : problem.groups) {
        const Vec3 d = point - group.center;
        double polynomial = 0;
        int m = group.first;
        for (int degree = 0; degree <= group.l; ++degree)
            for (int i = degree; i >= 0; --i)
                for (int j = degree - i; j >= 0; --j)
                    polynomial += problem.coefficients[orbital][m++] * std::pow(d.x, i) *
                                  std::pow(d.y, j) * std::pow(d.z, degree - i - j);
        sum += polynomial * std::exp(-group.exponent * dot(d, d));
    }
    return sum;
}

/// Every n-th point of a block: x fastest, as evaluate() writes them.
struct Sampled {
    std::int64_t at;
    double psi;
};

inline std::vector<Sampled> plain_samples(const OrbitalProblem& problem, int orbital,
                                          const PointBlock& block, int every) {
    std::vector<Sampled> samples;
    const auto& n = block.shape;
    for (std::int64_t at = orbital % every; at < block.size(); at += every)
        samples.push_back({at, plain_sum(problem, orbital,
                                         problem.grid.point(block.begin[0] + at % n[0],
                                                            block.begin[1] + at / n[0] % n[1],
                                                            block.begin[2] + at / (n[0] * n[1])))});
    return samples;
}

inline PointBlock whole(const OrbitalProblem& problem) { return {{0, 0, 0}, problem.grid.shape}; }

}  // namespace tessera::kernels::testing
