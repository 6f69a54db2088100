#include "docking/relax_rotations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "core/octahedral_group.hpp"
#include "core/units.hpp"

namespace tessera::docking {
namespace {

/// q and -q are the same rotation, so 48 unit quaternions stand for the 24 of the group.
constexpr int signed_members = 48;

const std::array<Quaternion, signed_members>& signed_group() {
    static const auto members = [] {
        std::array<Quaternion, signed_members> all;
        const auto group = octahedral_group();
        for (int g = 0; g < 24; ++g) {
            const Quaternion q = group[g].quaternion();
            all[2 * g] = q;
            all[2 * g + 1] = {-q.w, -q.x, -q.y, -q.z};
        }
        return all;
    }();
    return members;
}

double dot(const Quaternion& a, const Quaternion& b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

double chord_squared(const Quaternion& a, const Quaternion& b) {
    const double w = a.w - b.w, x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return w * w + x * x + y * y + z * z;
}

Quaternion normalized(const Quaternion& q) {
    const double inverse = 1 / q.length();
    return {q.w * inverse, q.x * inverse, q.y * inverse, q.z * inverse};
}

/// Edge of the cube with the volume one of the points has on the unit 3-sphere (surface 2 pi^2).
double point_spacing(std::size_t bases) {
    const double pi = units::pi;
    return std::cbrt(2 * pi * pi / (signed_members * static_cast<double>(bases)));
}

/// A member +-g b of the orbit of base b.
struct OrbitMember {
    int base = 0;
    int element = 0;  ///< index into signed_group()
};

/// Finds the orbit members within a chord length of a point near the identity. Members are binned by
/// (x, y, z), which is complete because |dxyz| <= |dq|; only members that a representative can reach
/// are kept.
class OrbitCells {
  public:
    OrbitCells(const std::vector<Quaternion>& bases, double reach) : reach_(std::min(reach, 2.0)) {
        cells_ = std::clamp(static_cast<int>(2 / reach_), 1, 256);
        const double w_least = least_reachable_w();
        std::vector<std::size_t> cell_of;
        std::vector<OrbitMember> members;
        std::vector<Quaternion> points;
        for (std::size_t b = 0; b < bases.size(); ++b)
            for (int e = 0; e < signed_members; ++e) {
                const Quaternion q = signed_group()[e] * bases[b];
                if (q.w < w_least) continue;
                members.push_back({static_cast<int>(b), e});
                points.push_back(q);
                cell_of.push_back(cell_index(slot(q.x), slot(q.y), slot(q.z)));
            }
        sort_into_cells(cell_of, members, points);
    }

    /// Calls visit(member, point, chord squared) for every member within the reach, in a fixed order.
    template <class Visit>
    void for_each_near(const Quaternion& q, Visit&& visit) const {
        const double limit = reach_ * reach_;
        const int cx = slot(q.x), cy = slot(q.y), cz = slot(q.z);
        for (int x = std::max(cx - 1, 0); x <= std::min(cx + 1, cells_ - 1); ++x)
            for (int y = std::max(cy - 1, 0); y <= std::min(cy + 1, cells_ - 1); ++y) {
                const int z_first = std::max(cz - 1, 0), z_last = std::min(cz + 1, cells_ - 1);
                const std::size_t end = begins_[cell_index(x, y, z_last) + 1];
                for (std::size_t i = begins_[cell_index(x, y, z_first)]; i < end; ++i) {
                    const double d2 = chord_squared(q, points_[i]);
                    if (d2 <= limit) visit(members_[i], points_[i], d2);
                }
            }
    }

  private:
    /// Representatives lie within 62.8 degrees of the identity (the corner of the truncated cube),
    /// 31.4 degrees on the 3-sphere, where a chord c spans the angle 2 asin(c / 2).
    double least_reachable_w() const {
        const double corner = 31.4 * units::pi / 180;
        return std::cos(std::min(units::pi, corner + 2 * std::asin(reach_ / 2)));
    }

    int slot(double coordinate) const {
        return std::clamp(static_cast<int>((coordinate + 1) / 2 * cells_), 0, cells_ - 1);
    }

    std::size_t cell_index(int x, int y, int z) const {
        return (static_cast<std::size_t>(x) * cells_ + y) * cells_ + z;
    }

    void sort_into_cells(const std::vector<std::size_t>& cell_of,
                         const std::vector<OrbitMember>& members,
                         const std::vector<Quaternion>& points) {
        begins_.assign(cell_index(cells_ - 1, cells_ - 1, cells_ - 1) + 2, 0);
        for (const std::size_t cell : cell_of) ++begins_[cell + 1];
        for (std::size_t c = 1; c < begins_.size(); ++c) begins_[c] += begins_[c - 1];
        members_.resize(members.size());
        points_.resize(points.size());
        std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::size_t place = next[cell_of[i]]++;
            members_[place] = members[i];
            points_[place] = points[i];
        }
    }

    double reach_;
    int cells_;  ///< along each axis of [-1, 1]
    std::vector<std::size_t> begins_;
    std::vector<OrbitMember> members_;
    std::vector<Quaternion> points_;
};

// Riesz repulsion with exponent s: the force between points at chord d is proportional to d^-(s+1).
// It is cut where a nearly even set has its second shell of neighbours (lengths in point spacings).
constexpr double force_reach = 2.0;
constexpr double list_reach = 2.3;
constexpr int steps_per_list = 10;
constexpr int steps = 400;
constexpr double first_step = 0.1, last_step = 0.02, longest_move = 0.2;

/// Smaller sets are done before a second thread has woken up.
constexpr std::size_t parallel_from = 4096;

using NeighborLists = std::vector<std::vector<OrbitMember>>;

NeighborLists list_neighbors(const std::vector<Quaternion>& bases, double reach) {
    const OrbitCells cells(bases, reach);
    NeighborLists lists(bases.size());
#pragma omp parallel for schedule(static) if (bases.size() >= parallel_from)
    for (std::size_t b = 0; b < bases.size(); ++b)
        cells.for_each_near(bases[b], [&](const OrbitMember& member, const Quaternion&, double) {
            // A base and its own images move together, their distances never change.
            if (member.base != static_cast<int>(b)) lists[b].push_back(member);
        });
    return lists;
}

/// Repulsion on one base in units of the force between points one spacing apart, s = 5.
Quaternion repulsion(const Quaternion& q, const std::vector<OrbitMember>& neighbors,
                     const std::vector<Quaternion>& bases, double spacing) {
    Quaternion force{0, 0, 0, 0};
    const double at_cut = std::pow(force_reach, -6);
    for (const OrbitMember& neighbor : neighbors) {
        const Quaternion p = signed_group()[neighbor.element] * bases[neighbor.base];
        const double d2 = std::max(chord_squared(q, p) / (spacing * spacing), 1e-6);
        if (d2 >= force_reach * force_reach) continue;
        const double strength = (1 / (d2 * d2 * d2) - at_cut) / (std::sqrt(d2) * spacing);
        force.w += strength * (q.w - p.w);
        force.x += strength * (q.x - p.x);
        force.y += strength * (q.y - p.y);
        force.z += strength * (q.z - p.z);
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

/// One Jacobi step: every new position depends on old positions alone, so threads cannot matter.
std::vector<Quaternion> relaxation_step(const std::vector<Quaternion>& bases,
                                        const NeighborLists& lists, double step, double spacing) {
    std::vector<Quaternion> next(bases.size());
#pragma omp parallel for schedule(static) if (bases.size() >= parallel_from)
    for (std::size_t b = 0; b < bases.size(); ++b)
        next[b] = moved(bases[b], repulsion(bases[b], lists[b], bases, spacing), step, spacing);
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

/// Uniform in [0, 1) with 53 bits; std::uniform_real_distribution differs between libraries.
double uniform(std::mt19937_64& generator) {
    return static_cast<double>(generator() >> 11) * 0x1p-53;
}

Quaternion random_rotation(std::mt19937_64& generator) {  // Shoemake 1992
    const double u = uniform(generator), v = 2 * units::pi * uniform(generator),
                 t = 2 * units::pi * uniform(generator);
    const double r = std::sqrt(1 - u), s = std::sqrt(u);
    return {r * std::sin(v), r * std::cos(v), s * std::sin(t), s * std::cos(t)};
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
    // The relaxed set is a patchwork of lattices whose seams hold the largest holes; where the seams
    // fall depends on the start. Small sets are cheap, so they get several starts.
    const auto starts = std::clamp<std::int64_t>(3600 / count, 1, 24);
    const std::int64_t probes =
        std::max<std::int64_t>(50 * count, std::min<std::int64_t>(1000 * count, 200'000));
    std::vector<Quaternion> best = relaxed_from(super_fibonacci_spiral(count));
    if (starts == 1 || count == 1) return best;
    double best_hole = measure_covering(best, probes, 2).largest_hole;
    const std::vector<Quaternion> turns = super_fibonacci_spiral(starts);
    for (std::int64_t start = 1; start < starts; ++start) {
        std::vector<Quaternion> spiral = super_fibonacci_spiral(count);
        for (Quaternion& q : spiral) q = turns[static_cast<std::size_t>(start)] * q;
        std::vector<Quaternion> candidate = relaxed_from(std::move(spiral));
        const double hole = measure_covering(candidate, probes, 2).largest_hole;
        if (hole < best_hole) {
            best_hole = hole;
            best = std::move(candidate);
        }
    }
    return best;
}

Covering measure_covering(const std::vector<Quaternion>& bases, std::int64_t probes,
                          std::uint64_t seed) {
    const double reach = std::min(2.0, 3 * point_spacing(bases.size()));
    const OrbitCells cells(bases, reach);
    std::mt19937_64 generator(seed);
    Covering covering;
    double sum = 0;
    for (std::int64_t i = 0; i < probes; ++i) {
        const Quaternion probe = orbit_representative(random_rotation(generator));
        double nearest = 4;
        cells.for_each_near(probe, [&](const OrbitMember&, const Quaternion&, double d2) {
            nearest = std::min(nearest, d2);
        });
        // Rotation angle of two quaternions at chord c: 4 asin(c / 2).
        const double angle = 4 * std::asin(std::sqrt(nearest) / 2) * 180 / units::pi;
        covering.largest_hole = std::max(covering.largest_hole, angle);
        sum += angle;
    }
    covering.mean = sum / static_cast<double>(probes);
    return covering;
}

}  // namespace tessera::docking
