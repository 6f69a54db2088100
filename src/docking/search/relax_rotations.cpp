#include "docking/search/relax_rotations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/units.hpp"
#include "docking/search/orbit_cells.hpp"
#include "docking/search/rotation_covering.hpp"

namespace tessera::docking {
namespace {

double dot(const Quaternion& a, const Quaternion& b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

Quaternion normalized(const Quaternion& q) {
    const double inverse = 1 / q.length();
    return {q.w * inverse, q.x * inverse, q.y * inverse, q.z * inverse};
}

// Riesz repulsion with exponent s: the force between points at chord d is proportional to d^-(s+1).
// The force ends where a nearly even set has its second shell of neighbours. Lengths are in point
// spacings.
constexpr double force_reach = 2.0;
constexpr double list_reach = 2.3;
constexpr int steps_per_list = 10;
constexpr int steps = 400;
constexpr double first_step = 0.1, last_step = 0.02, longest_move = 0.2;

/// Smaller sets are not worth waking up threads.
constexpr std::size_t parallel_from = 4096;

using NeighborLists = std::vector<std::vector<OrbitMember>>;

NeighborLists list_neighbors(const std::vector<Quaternion>& bases, double reach) {
    const OrbitCells cells(bases, reach);
    NeighborLists lists(bases.size());
#pragma omp parallel for schedule(static) if (bases.size() >= parallel_from)
    for (std::size_t b = 0; b < bases.size(); ++b)
        cells.for_each_near(bases[b], [&](const OrbitMember& member, const Quaternion&, double) {
            // A base and its own images move together, so their distances never change.
            if (member.base != static_cast<int>(b)) lists[b].push_back(member);
        });
    return lists;
}

/// The forces of all neighbours. Each component has its own array, so that loops over neighbours
/// are vectorised.
struct Forces {
    std::vector<double> w, x, y, z;

    void resize(std::size_t count) {
        for (auto* component : {&w, &x, &y, &z}) component->resize(count);
    }
};

/// The repulsion on one base, s = 5, in units of the force between points one spacing apart. `each`
/// is scratch memory for the forces of the neighbours.
Quaternion repulsion(const Quaternion& q, const std::vector<OrbitMember>& neighbors,
                     const std::vector<Quaternion>& bases, double spacing, Forces& each) {
    const std::size_t count = neighbors.size();
    each.resize(count);
    const auto& group = signed_group();
    for (std::size_t i = 0; i < count; ++i) {
        const OrbitMember& at = neighbors[i];
        const Quaternion p =
            group[static_cast<std::size_t>(at.element)] * bases[static_cast<std::size_t>(at.base)];
        each.w[i] = q.w - p.w;
        each.x[i] = q.x - p.x;
        each.y[i] = q.y - p.y;
        each.z[i] = q.z - p.z;
    }
    constexpr double cut = force_reach * force_reach, at_cut = 1 / (cut * cut * cut);
    double *w = each.w.data(), *x = each.x.data(), *y = each.y.data(), *z = each.z.data();
    const double square = spacing * spacing;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const double chord = w[i] * w[i] + x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
        const double d2 = std::max(chord / square, 1e-6);
        const double near = (1 / (d2 * d2 * d2) - at_cut) / (std::sqrt(d2) * spacing);
        const double strength = d2 < cut ? near : 0;
        w[i] *= strength;
        x[i] *= strength;
        y[i] *= strength;
        z[i] *= strength;
    }
    Quaternion force{0, 0, 0, 0};
    for (std::size_t i = 0; i < count; ++i) {
        force.w += w[i];
        force.x += x[i];
        force.y += y[i];
        force.z += z[i];
    }
    const double radial = dot(force, q);
    return {force.w - radial * q.w, force.x - radial * q.x, force.y - radial * q.y,
            force.z - radial * q.z};
}

/// q moved along `force` by step * |force| spacings, at most longest_move spacings.
Quaternion moved(const Quaternion& q, const Quaternion& force, double step, double spacing) {
    const double length = force.length();
    if (length == 0) return q;
    const double s = std::min(step * length, longest_move) * spacing / length;
    return normalized({q.w + s * force.w, q.x + s * force.x, q.y + s * force.y, q.z + s * force.z});
}

/// One Jacobi step. Every new position depends on old positions alone, so the number of threads
/// does not matter.
std::vector<Quaternion> relaxation_step(const std::vector<Quaternion>& bases,
                                        const NeighborLists& lists, double step, double spacing) {
    std::vector<Quaternion> next(bases.size());
#pragma omp parallel if (bases.size() >= parallel_from)
    {
        Forces each;
#pragma omp for schedule(static)
        for (std::size_t b = 0; b < bases.size(); ++b) {
            const Quaternion force = repulsion(bases[b], lists[b], bases, spacing, each);
            next[b] = moved(bases[b], force, step, spacing);
        }
    }
    return next;
}

std::vector<Quaternion> relaxed_from(std::vector<Quaternion> bases) {
    const double spacing = point_spacing(bases.size());
    NeighborLists lists;
    for (int step = 0; step < steps; ++step) {
        if (step % steps_per_list == 0) {
            for (Quaternion& q : bases) q = orbit_representative(q);
            lists = list_neighbors(bases, list_reach * spacing);
        }
        const double progress = static_cast<double>(step) / (steps - 1);
        const double length = first_step * std::pow(last_step / first_step, progress);
        bases = relaxation_step(bases, lists, length, spacing);
    }
    for (Quaternion& q : bases) q = orbit_representative(normalized(q));
    return bases;
}

}  // namespace

std::vector<Quaternion> super_fibonacci_spiral(std::int64_t count) {
    const double psi = 1.533751168755204288118041;  // psi^4 = psi + 4
    std::vector<Quaternion> spiral(static_cast<std::size_t>(count));
    for (std::int64_t n = 0; n < count; ++n) {
        const double s = static_cast<double>(n) + 0.5, t = s / static_cast<double>(count);
        const double d = 2 * units::pi * s, a = d / std::sqrt(2.0), b = d / psi;
        const double r = std::sqrt(t), big_r = std::sqrt(1 - t);
        spiral[static_cast<std::size_t>(n)] = {r * std::sin(a), r * std::cos(a),
                                               big_r * std::sin(b), big_r * std::cos(b)};
    }
    return spiral;
}

Quaternion orbit_representative(const Quaternion& q) {
    const auto& group = signed_group();
    int best = 0;
    double best_w = -2;
    for (int e = 0; e < signed_members; e += 2) {
        const Quaternion& g = group[static_cast<std::size_t>(e)];
        const double w = g.w * q.w - g.x * q.x - g.y * q.y - g.z * q.z;
        // Rounding must not choose between members equally near the identity.
        if (std::abs(w) <= best_w + 1e-12) continue;
        best_w = std::abs(w);
        best = w < 0 ? e + 1 : e;
    }
    return group[static_cast<std::size_t>(best)] * q;
}

std::vector<Quaternion> relaxed_orbit_bases(std::int64_t count) {
    // The relaxed set is a patchwork of lattices, and the largest holes lie in its seams. The seams
    // depend on the start. Small sets are cheap, so they get several starts, and the best is taken.
    const auto starts = std::clamp<std::int64_t>(3600 / count, 1, 24);
    if (starts == 1 || count == 1) return relaxed_from(super_fibonacci_spiral(count));
    const std::vector<Quaternion> probes = covering_probes(
        std::max<std::int64_t>(50 * count, std::min<std::int64_t>(1000 * count, 200'000)), 2);
    const std::vector<Quaternion> turns = super_fibonacci_spiral(starts);
    std::vector<std::vector<Quaternion>> candidates(static_cast<std::size_t>(starts));
    std::vector<double> holes(candidates.size());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t start = 0; start < candidates.size(); ++start) {
        std::vector<Quaternion> spiral = super_fibonacci_spiral(count);
        if (start > 0)
            for (Quaternion& q : spiral) q = turns[start] * q;
        candidates[start] = relaxed_from(std::move(spiral));
        holes[start] = measure_covering(candidates[start], probes).largest_hole;
    }
    const auto best = std::min_element(holes.begin(), holes.end());  // the first of equals
    return std::move(candidates[static_cast<std::size_t>(best - holes.begin())]);
}

}  // namespace tessera::docking
