#include "kokkos_kernels/orbitals/rounding.hpp"

#include <Kokkos_Core.hpp>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "kokkos_kernels/orbitals/group_tables.hpp"
#include "kokkos_kernels/orbitals/primitive_table.hpp"

namespace tessera::kernels {

namespace {

/// Rounding parts that add up to A costs about A 2^-24. This is 1e-6 of the reference value if A is
/// 16 times as large.
constexpr double most_cancellation = 16;
/// Exponentials below exp(-40) are neglected on both sides.
constexpr double far = 40;

/// With fewer orbitals, waking the threads and waiting for the last of them does not pay.
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

/// Calls action(first, end) for runs of rows that cover [0, rows).
template <class Action>
void for_runs_of_rows(std::size_t rows, const Action& action) {
    constexpr std::size_t run = GroupTable<double>::together;
    for_each_on_host((rows + run - 1) / run, rows >= many_orbitals,
                     [&](std::size_t i) { action(i * run, std::min(rows, (i + 1) * run)); });
}

/// The distinct centres of the groups.
std::vector<Vec3> centers_of(const OrbitalProblem& problem) {
    std::vector<Vec3> centers;
    std::set<std::tuple<double, double, double>> known;
    for (const PrimitiveGroup& group : problem.groups)
        if (known.insert({group.center.x, group.center.y, group.center.z}).second)
            centers.push_back(group.center);
    return centers;
}

/// degree_bound() of the part of degree e of a group, for every orbital.
struct DegreeBounds {
    std::vector<GroupPart> parts;  ///< [group], from degree 0 on
    std::size_t stride = 0;
    std::unique_ptr<double[]> values;  ///< [orbital][stride]

    explicit DegreeBounds(const OrbitalProblem& problem) {
        for (const PrimitiveGroup& group : problem.groups) {
            parts.push_back({static_cast<int>(stride), group.l + 1});
            stride += static_cast<std::size_t>(group.l) + 1;
        }
        const std::size_t orbitals = problem.coefficients.size();
        values = std::make_unique_for_overwrite<double[]>(stride * orbitals);
        for_runs_of_rows(orbitals, [&](std::size_t first, std::size_t end) {
            for (std::size_t o = first; o < end; ++o)
                fill(problem, problem.coefficients[o], row(o));
        });
    }

    double* row(std::size_t orbital) const { return values.get() + orbital * stride; }

  private:
    /// Bounds are finite, so that zero times a bound is zero.
    void fill(const OrbitalProblem& problem, const std::vector<double>& coefficients,
              double* bounds) const {
        for (std::size_t g = 0; g < parts.size(); ++g) {
            const PrimitiveGroup& group = problem.groups[g];
            double* const of_group = bounds + parts[g].first;
            for_degree_bounds(coefficients.data() + group.first, group.l,
                              [&](int e, double bound) { of_group[e] = std::min(bound, 1e300); });
        }
    }
};

/// For one group, the largest values of r^e exp(-a r^2), [e].
using Peaks = std::array<double, max_degree + 1>;

std::vector<Peaks> peaks_of(const OrbitalProblem& problem) {
    std::vector<Peaks> peaks;
    const PrimitiveGroup* before = nullptr;  // atoms of an element have the same exponents
    for (const PrimitiveGroup& group : problem.groups) {
        const bool known = before != nullptr && before->exponent == group.exponent;
        Peaks of_group = known ? peaks.back() : Peaks{};
        for (int e = 0; e <= max_degree && !known; ++e)
            of_group[e] = std::pow(e / (2 * group.exponent), e / 2.0) * std::exp(-e / 2.0);
        peaks.push_back(of_group);
        before = &group;
    }
    return peaks;
}

EightPoints squares_from(const Vec3& center, const Points<EightPoints>& points) {
    const EightPoints x = points.x - center.x, y = points.y - center.y, z = points.z - center.z;
    return x * x + y * y + z * z;
}

/// The largest r^e exp(-a r^2) at the distance of some places and beyond. It is the value there, or
/// the peak.
bool fill_radial(const PrimitiveGroup& group, const Peaks& peaks, const Points<EightPoints>& places,
                 EightPoints* to) {
    const auto squares = std::bit_cast<Listed<EightPoints>>(squares_from(group.center, places));
    if (std::ranges::all_of(squares, [&](double r2) { return group.exponent * r2 > far; }))
        return false;
    std::array<Listed<EightPoints>, max_degree + 1> radial{};
    for (std::size_t i = 0; i < squares.size(); ++i) {
        const double a = group.exponent, r2 = squares[i];
        if (a * r2 > far) continue;
        const double r = std::sqrt(r2), here = std::exp(-a * r2);
        double power = 1;  // r^e
        for (int e = 0; e <= group.l; ++e, power *= r)
            radial[e][i] = 2 * a * r2 >= e ? power * here : peaks[e];
    }
    for (int e = 0; e <= group.l; ++e) to[e] = std::bit_cast<EightPoints>(radial[e]);
    return true;
}

/// For each orbital, the largest sum over all groups of the bounds near an atom's centre, over all
/// atoms.
std::vector<double> largest_sums(const OrbitalProblem& problem, const std::vector<Vec3>& centers) {
    const DegreeBounds bounds(problem);
    const std::vector<Peaks> peaks = peaks_of(problem);
    const auto table_of = [&](std::size_t first) {
        const Points<EightPoints> places(std::span<const Vec3>(centers).subspan(
            first, std::min<std::size_t>(8, centers.size() - first)));
        return GroupTable<EightPoints>(bounds.parts, [&](std::size_t g, EightPoints* to) {
            return fill_radial(problem.groups[g], peaks[g], places, to);
        });
    };
    std::vector<double> largest(problem.coefficients.size(), 0.0);
    constexpr std::size_t at_once = 64;  // centres whose tables are kept
    for (std::size_t first = 0; first < centers.size(); first += at_once) {
        const std::size_t some = std::min(at_once, centers.size() - first);
        std::vector<std::optional<GroupTable<EightPoints>>> tables((some + 7) / 8);
        for_each_on_host(tables.size(), tables.size() > 1,
                         [&](std::size_t t) { tables[t].emplace(table_of(first + 8 * t)); });
        for_runs_of_rows(largest.size(), [&](std::size_t begin, std::size_t end) {
            for (const auto& table : tables)
                table->for_rows(
                    begin, end, [&](std::size_t o) { return bounds.row(o); },
                    [&](std::size_t o, const EightPoints& sums) {
                        const auto listed = std::bit_cast<Listed<EightPoints>>(sums);
                        largest[o] = std::max(largest[o], std::ranges::max(listed));
                    });
        });
    }
    return largest;
}

/// Points near an atom in the direction of a cube's face or corner. The atom's centre is not among
/// them. No grid point hits the cusp there, and an orbital is judged by its values elsewhere.
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

/// A group's monomials times its exponential at some points.
template <class Numbers>
bool fill_values(const PrimitiveGroup& group, const Points<Numbers>& points, Numbers* to) {
    const Numbers x = points.x - group.center.x, y = points.y - group.center.y,
                  z = points.z - group.center.z;
    const Numbers t = group.exponent * (x * x + y * y + z * z);
    auto radial = std::bit_cast<Listed<Numbers>>(t);
    if (std::ranges::all_of(radial, [](double value) { return value > far; })) return false;
    for (double& value : radial) value = value > far ? 0.0 : std::exp(-value);
    std::array<Numbers, max_degree + 1> xs{Numbers{} + 1}, ys = xs, zs = xs;
    for (int n = 1; n <= group.l; ++n) {
        xs[n] = xs[n - 1] * x;
        ys[n] = ys[n - 1] * y;
        zs[n] = zs[n - 1] * z;
    }
    const auto scale = std::bit_cast<Numbers>(radial);
    for (int e = 0; e <= group.l; ++e)
        for (int i = e; i >= 0; --i)
            for (int j = e - i; j >= 0; --j) *to++ = scale * xs[i] * ys[j] * zs[e - i - j];
    return true;
}

/// Orbitals that may still need double. Single precision suffices if an orbital reaches its level
/// at some point.
class OpenOrbitals {
  public:
    OpenOrbitals(const OrbitalProblem& problem, const std::vector<double>& sums)
        : problem_(problem), sums_(sums) {
        for (const PrimitiveGroup& group : problem.groups)
            parts_.push_back({group.first, monomials(group.l)});
        for (std::size_t o = 0; o < sums.size(); ++o)
            if (sums[o] <= most_cancellation) open_.push_back(o);
    }

    const std::vector<std::size_t>& rows() const { return open_; }

    /// Removes the orbitals that reach their level at one of the points.
    template <class Numbers>
    void look_at(std::span<const Vec3> where) {
        const Points<Numbers> points(where);
        const GroupTable<Numbers> values(parts_, [&](std::size_t g, Numbers* to) {
            return fill_values(problem_.groups[g], points, to);
        });
        std::vector<char> reached(open_.size(), 0);
        for_runs_of_rows(open_.size(), [&](std::size_t first, std::size_t end) {
            values.for_rows(
                first, end, [&](std::size_t i) { return problem_.coefficients[open_[i]].data(); },
                [&](std::size_t i, const Numbers& psi) {
                    const double level = sums_[open_[i]] / most_cancellation;
                    reached[i] =
                        std::ranges::any_of(std::bit_cast<Listed<Numbers>>(psi),
                                            [&](double value) { return std::abs(value) >= level; });
                });
        });
        auto at = reached.begin();
        std::erase_if(open_, [&](std::size_t) { return *at++ != 0; });
    }

  private:
    const OrbitalProblem& problem_;
    const std::vector<double>& sums_;
    std::vector<GroupPart> parts_;  ///< [group], places of the coefficients
    std::vector<std::size_t> open_;
};

}  // namespace

std::vector<int> rows_for_double(const OrbitalProblem& problem) {
    const std::vector<Vec3> centers = centers_of(problem);
    const std::vector<double> sums = largest_sums(problem, centers);
    OpenOrbitals open(problem, sums);
    // Most orbitals reach their level at the first point. For few orbitals, eight points at once do
    // not pay.
    bool looked = sums.size() >= many_orbitals;
    for (const Vec3& center : centers) {
        const std::vector<Vec3> near = points_near(center);
        const std::span<const Vec3> points(near);
        if (!std::exchange(looked, true)) open.look_at<double>(points.first(1));
        for (std::size_t i = 0; i < points.size() && !open.rows().empty(); i += 8)
            open.look_at<EightPoints>(points.subspan(i, std::min<std::size_t>(8, near.size() - i)));
    }
    // Double is for the orbitals still open, and for those whose absolute error alone is too large.
    std::vector<int> rows;
    auto next = open.rows().begin();
    for (std::size_t o = 0; o < sums.size(); ++o) {
        const bool is_open = next != open.rows().end() && *next == o;
        if (is_open) ++next;
        if (is_open || !(sums[o] <= most_cancellation)) rows.push_back(static_cast<int>(o));
    }
    return rows;
}

}  // namespace tessera::kernels
