#include "kokkos_kernels/orbitals/rounding.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>

#include "kokkos_kernels/orbitals/primitive_table.hpp"

namespace tessera::kernels {

namespace {

/// Parts adding up to A are rounded by A 2^-24 or so: 1e-6 where A is 16 times what it is measured by.
constexpr double most_cancellation = 16;
/// Exponentials below exp(-40) change neither side.
constexpr double far = 40;

template <class Action>
void for_each_on_host(std::size_t size, const Action& action) {
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

/// degree_bound() of every orbital's part of degree e of a group: [group][e <= max_degree][orbital].
std::vector<double> degree_bounds(const OrbitalProblem& problem) {
    const std::size_t orbitals = problem.coefficients.size();
    std::vector<double> bounds;
    bounds.reserve(problem.groups.size() * (max_degree + 1) * orbitals);
    for (const PrimitiveGroup& group : problem.groups)
        for (int e = 0; e <= max_degree; ++e)
            for (std::size_t o = 0; o < orbitals; ++o)
                bounds.push_back(e <= group.l
                                     ? degree_bound(problem.coefficients[o].data() + group.first, e)
                                     : 0.0);
    return bounds;
}

/// Per orbital the largest sum, over the places of atoms, of bounds of all groups' parts around there.
std::vector<double> largest_sums(const OrbitalProblem& problem, const std::vector<Vec3>& atoms) {
    const std::vector<double> bounds = degree_bounds(problem);
    const std::size_t orbitals = problem.coefficients.size();
    std::vector<double> sums_at(atoms.size() * orbitals, 0.0);
    for_each_on_host(atoms.size(), [&](std::size_t atom) {
        double* sums = sums_at.data() + atom * orbitals;
        for (std::size_t g = 0; g < problem.groups.size(); ++g) {
            const PrimitiveGroup& group = problem.groups[g];
            const double a = group.exponent, r2 = distance_squared(atoms[atom], group.center);
            if (a * r2 > far) continue;
            for (int e = 0; e <= group.l; ++e) {
                // r^e exp(-a r^2) from here outwards.
                const double s = std::max(r2, e / (2 * a));
                const double radial = std::pow(s, e / 2.0) * std::exp(-a * s);
                const double* bound = bounds.data() + (g * (max_degree + 1) + e) * orbitals;
                for (std::size_t o = 0; o < orbitals; ++o) sums[o] += radial * bound[o];
            }
        }
    });
    std::vector<double> largest(orbitals, 0.0);
    for (std::size_t i = 0; i < sums_at.size(); ++i)
        largest[i % orbitals] = std::max(largest[i % orbitals], sums_at[i]);
    return largest;
}

double value_at(const OrbitalProblem& problem, const std::vector<double>& row, Vec3 point) {
    double psi = 0;
    for (const PrimitiveGroup& group : problem.groups) {
        const Vec3 d = point - group.center;
        const double t = group.exponent * dot(d, d);
        if (t > far) continue;
        double polynomial = 0;
        for (int degree = 0; degree <= group.l; ++degree)
            for (int i = degree; i >= 0; --i)
                for (int j = degree - i; j >= 0; --j)
                    polynomial += row[group.first + monomial_index(i, j, degree - i - j)] *
                                  std::pow(d.x, i) * std::pow(d.y, j) *
                                  std::pow(d.z, degree - i - j);
        psi += polynomial * std::exp(-t);
    }
    return psi;
}

/// True when |psi| reaches `level` at some atom, or near one in the direction of a cube's face or corner.
bool reaches(const OrbitalProblem& problem, const std::vector<double>& row,
             const std::vector<Vec3>& atoms, double level) {
    for (double r : {0.0, 0.3, 0.8, 1.5})  // bohr
        for (const Vec3& atom : atoms)
            for (int way = 0; way < 27; ++way) {
                const Vec3 d{way % 3 - 1.0, way / 3 % 3 - 1.0, way / 9 - 1.0};
                const double length = std::sqrt(dot(d, d));
                if (r == 0 ? length != 0 : length == 0 || dot(d, d) == 2) continue;
                const double step = r == 0 ? 0 : r / length;
                const Vec3 at{atom.x + step * d.x, atom.y + step * d.y, atom.z + step * d.z};
                if (std::abs(value_at(problem, row, at)) >= level) return true;
            }
    return false;
}

}  // namespace

bool single_precision_suffices(const OrbitalProblem& problem) {
    const std::vector<Vec3> atoms = atoms_of(problem);
    const std::vector<double> sums = largest_sums(problem, atoms);
    if (std::any_of(sums.begin(), sums.end(), [](double sum) { return sum > most_cancellation; }))
        return false;
    std::atomic<bool> all = true;
    for_each_on_host(sums.size(), [&](std::size_t o) {
        if (!reaches(problem, problem.coefficients[o], atoms, sums[o] / most_cancellation))
            all = false;
    });
    return all;
}

}  // namespace tessera::kernels
