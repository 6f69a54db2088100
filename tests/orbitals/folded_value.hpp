// psi at a point by a plain loop over the folded groups: no kernel, no screening.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "orbitals/basis/folded_basis.hpp"

namespace tessera::test {

inline double folded_value(const kernels::OrbitalProblem& problem, std::size_t orbital, Vec3 r) {
    double sum = 0;
    for (const kernels::PrimitiveGroup& group : problem.groups) {
        const Vec3 d = r - group.center;
        const double* c = problem.coefficients[orbital].data() + group.first;
        std::array<Vec3, 8> powers{Vec3{1, 1, 1}};
        for (std::size_t n = 1; n < powers.size(); ++n)
            powers[n] = {powers[n - 1].x * d.x, powers[n - 1].y * d.y, powers[n - 1].z * d.z};
        const auto power = [&](int n) { return powers[static_cast<std::size_t>(n)]; };
        double polynomial = 0;
        for (int degree = 0; degree <= group.l; ++degree)
            for (int i = degree; i >= 0; --i)
                for (int j = degree - i; j >= 0; --j)
                    polynomial += *c++ * power(i).x * power(j).y * power(degree - i - j).z;
        sum += polynomial * std::exp(-group.exponent * dot(d, d));
    }
    return sum;
}

inline double folded_value(const io::Wavefunction& wavefunction, int orbital, Vec3 r) {
    kernels::OrbitalProblem problem;
    orbitals::fold_orbitals(wavefunction, {orbital}, problem);
    return folded_value(problem, 0, r);
}

}  // namespace tessera::test
