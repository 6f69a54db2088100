#include "kokkos_kernels/orbitals/rounding.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <tuple>

#include "kokkos_kernels/orbitals/primitive_table.hpp"

namespace tessera::kernels {

namespace {

/// Parts adding up to A are rounded by A 2^-24 or so: 1e-6 where A is 16 times what it is measured by.
constexpr double most_cancellation = 16;
/// Exponentials below exp(-40) change neither side.
constexpr double far = 40;

/// Fewer orbitals are not worth waking threads for, and waiting for the last of them.
constexpr std::size_t many_orbitals = 8;

template <class Action>
void for_each_on_host(std::size_t size, bool by_all_threads, const Action& action) {
    if (!by_all_threads) {
        for (std::size_t i = 0; i < size; ++i) action(i);
        return;
    }
    Kokkos::parallel_for("tessera::orbitals::rounding",
                         Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, size), action);
    Kokkos::DefaultHostExecutionSpace().fence("tessera: the host reads what it computed");
}

std::vector<Vec3> atoms_of(const OrbitalProblem& problem) {
    std::vector<Vec3> atoms;
    for (const PrimitiveGroup& group : problem.groups) atoms.push_back(group.center);
    const auto key = [](const Vec3& r) { return std::tuple(r.x, r.y, r.z); };
    std::sort(atoms.begin(), atoms.end(),
              [&](const Vec3& a, const Vec3& b) { return key(a) < key(b); });
    const auto same = [&](const Vec3& a, const Vec3& b) { return key(a) == key(b); };
    atoms.erase(std::unique(atoms.begin(), atoms.end(), same), atoms.end());
    return atoms;
}

/// degree_bound() of every orbital's part of degree e of a group.
struct DegreeBounds {
    std::vector<std::size_t> first;    ///< [group]
    std::unique_ptr<double[]> values;  ///< [first[group] + e][orbital]

    explicit DegreeBounds(const OrbitalProblem& problem) {
        std::size_t degrees = 0;
        for (const PrimitiveGroup& group : problem.groups) {
            first.push_back(degrees);
            degrees += static_cast<std::size_t>(group.l) + 1;
        }
        const std::size_t orbitals = problem.coefficients.size();
        values = std::make_unique_for_overwrite<double[]>(degrees * orbitals);
        for_each_on_host(problem.groups.size(), orbitals >= many_orbitals, [&](std::size_t g) {
            const PrimitiveGroup& group = problem.groups[g];
            for (std::size_t o = 0; o < orbitals; ++o)
                for (int e = 0; e <= group.l; ++e)
                    values[(first[g] + e) * orbitals + o] =
                        degree_bound(problem.coefficients[o].data() + group.first, e);
        });
    }
};

/// Per orbital the largest sum, over the places of atoms, of bounds of all groups' parts around there.
std::vector<double> largest_sums(const OrbitalProblem& problem, const std::vector<Vec3>& atoms) {
    const DegreeBounds bounds(problem);
    const std::size_t orbitals = problem.coefficients.size();
    std::vector<double> sums_at(atoms.size() * orbitals, 0.0);
    for_each_on_host(atoms.size(), true, [&](std::size_t atom) {
        double* sums = sums_at.data() + atom * orbitals;
        for (std::size_t g = 0; g < problem.groups.size(); ++g) {
            const PrimitiveGroup& group = problem.groups[g];
            const double a = group.exponent, r2 = distance_squared(atoms[atom], group.center);
            if (a * r2 > far) continue;
            const double r = std::sqrt(r2), here = std::exp(-a * r2);
            double power = 1;  // r^e
            for (int e = 0; e <= group.l; ++e, power *= r) {
                // r^e exp(-a r^2) from here outwards: here, or at its peak.
                const double radial = 2 * a * r2 >= e
                                          ? power * here
                                          : std::pow(e / (2 * a), e / 2.0) * std::exp(-e / 2.0);
                const double* bound = bounds.values.get() + (bounds.first[g] + e) * orbitals;
                for (std::size_t o = 0; o < orbitals; ++o) sums[o] += radial * bound[o];
            }
        }
    });
    std::vector<double> largest(orbitals, 0.0);
    for (std::size_t i = 0; i < sums_at.size(); ++i)
        largest[i % orbitals] = std::max(largest[i % orbitals], sums_at[i]);
    return largest;
}

/// Points near an atom in the direction of a cube's face or corner. Not the atom's own place: no grid meets
/// the cusp there, and what an orbital is measured by are its values elsewhere.
std::vector<Vec3> points_near(const Vec3& atom) {
    std::vector<Vec3> points;
    for (double r : {0.3, 0.8, 1.5})  // bohr
        for (int way = 0; way < 27; ++way) {
            const Vec3 d{way % 3 - 1.0, way / 3 % 3 - 1.0, way / 9 - 1.0};
            const double square = dot(d, d);
            if (square == 1 || square == 3) points.push_back(atom + (r / std::sqrt(square)) * d);
        }
    return points;
}

/// A monomial times its group's exponential at a point.
struct Term {
    std::size_t at;  ///< in a row of coefficients
    double value;
};

std::vector<Term> terms_at(const OrbitalProblem& problem, const Vec3& point) {
    std::vector<Term> terms;
    for (const PrimitiveGroup& group : problem.groups) {
        const Vec3 d = point - group.center;
        const double t = group.exponent * dot(d, d);
        if (t > far) continue;
        std::array<Vec3, max_degree + 1> powers{Vec3{1, 1, 1}};
        for (std::size_t n = 1; n < powers.size(); ++n)
            powers[n] = {powers[n - 1].x * d.x, powers[n - 1].y * d.y, powers[n - 1].z * d.z};
        const double radial = std::exp(-t);
        auto at = static_cast<std::size_t>(group.first);
        for (int e = 0; e <= group.l; ++e)
            for (int i = e; i >= 0; --i)
                for (int j = e - i; j >= 0; --j)
                    terms.push_back(
                        {at++, radial * powers[i].x * powers[j].y * powers[e - i - j].z});
    }
    return terms;
}

double value(const std::vector<double>& row, const std::vector<Term>& terms) {
    double psi = 0;
    for (const Term& term : terms) psi += row[term.at] * term.value;
    return psi;
}

}  // namespace

std::vector<int> rows_for_double(const OrbitalProblem& problem) {
    const std::vector<Vec3> atoms = atoms_of(problem);
    const std::vector<double> sums = largest_sums(problem, atoms);
    std::vector<char> suffices(sums.size(), 0);
    std::vector<int> open;  // where single precision may suffice
    for (std::size_t o = 0; o < sums.size(); ++o)
        if (sums[o] <= most_cancellation) open.push_back(static_cast<int>(o));
    for (const Vec3& atom : atoms) {
        if (open.empty()) break;
        const std::vector<Vec3> points = points_near(atom);
        // Few orbitals need few points; many share the work of a point's terms.
        const bool many = open.size() >= many_orbitals;
        const std::size_t step = many ? points.size() : 1;
        for (std::size_t first = 0; first < points.size() && !open.empty(); first += step) {
            std::vector<std::vector<Term>> near(step);
            for_each_on_host(
                step, many, [&](std::size_t i) { near[i] = terms_at(problem, points[first + i]); });
            for_each_on_host(open.size(), many, [&](std::size_t i) {
                const auto o = static_cast<std::size_t>(open[i]);
                const double level = sums[o] / most_cancellation;
                suffices[o] = std::any_of(near.begin(), near.end(), [&](const auto& terms) {
                    return std::abs(value(problem.coefficients[o], terms)) >= level;
                });
            });
            std::erase_if(open, [&](int o) { return suffices[static_cast<std::size_t>(o)] != 0; });
        }
    }
    std::vector<int> rows;
    for (std::size_t o = 0; o < sums.size(); ++o)
        if (suffices[o] == 0) rows.push_back(static_cast<int>(o));
    return rows;
}

}  // namespace tessera::kernels
