#include "likelihood/sample/scouts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "likelihood/fit/quasi_newton.hpp"
#include "likelihood/sample/draw.hpp"
#include "likelihood/sample/hill_maps.hpp"
#include "likelihood/sample/ridge.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::size_t scouts_of_axis = 24, fewest_scouts = 4;
constexpr std::int64_t gradients_of_climb = 100;
constexpr int longest_climb = 200;
constexpr double scout_tolerance = 0.03;  // in log density; a climb ends below it
constexpr double deepest = 10;            // below the highest hill, in log density
constexpr double dip = 2;                 // between two hills, in log density
constexpr int line_points = 15;           // between two summits, where a dip is looked for
constexpr double same_place = 0.5;  // standard deviations of the first hill, in all parameters
constexpr double lightest = 16;     // below the heaviest hill, in log weight
constexpr std::size_t most_summits = 12;
constexpr std::size_t most_combined = 4;

struct Axis {
    std::size_t theta, phi;
};

/// The axes of streams whose direction is free.
std::vector<Axis> free_axes(const StreamSpace& space) {
    std::vector<Axis> axes;
    const auto& free = space.free();
    const std::string theta = ".theta", phi = ".phi";
    for (std::size_t t = 0; t < free.size(); ++t) {
        if (!free[t].name.ends_with(theta)) continue;
        const auto stem = free[t].name.substr(0, free[t].name.size() - theta.size());
        const auto p = std::ranges::find(free, stem + phi, &FreeParameter::name);
        if (p != free.end()) axes.push_back({t, static_cast<std::size_t>(p - free.begin())});
    }
    return axes;
}

/// Where a climb ended, over the unbounded coordinates, and the density of the parameters there.
struct End {
    Point at;
    double log;
};

/// Climbs for each of `axes`.
std::size_t scouts_of(std::size_t axes, std::int64_t gradients) {
    if (axes == 0) return 0;
    const auto affordable = static_cast<std::size_t>(gradients / gradients_of_climb);
    const std::size_t each = std::min(scouts_of_axis, affordable / axes);
    return each < fewest_scouts ? 0 : each;
}

class Scouting {
  public:
    Scouting(const ScoutedPosterior& asked, const Point& top, const Summit& first,
             const ScoutPlan& plan)
        : asked_(asked), posterior_(asked.posterior), top_(top), plan_(plan) {
        hills_.push_back({first.at, first.covariance});
        for (std::size_t i = 0; i < first.at.size(); ++i)
            scale_.push_back(std::sqrt(first.covariance(i, i)) *
                             posterior_.priors()[i].cube(first.at[i]).slope);
    }

    std::vector<FoundHill> run() {
        auto ends = climb();
        if (ends.empty()) return std::move(hills_);
        const Summit first{hills_.front().at, hills_.front().covariance};
        hills_.front() = hill_at(first, asked_.log_densities({first.at}).front().log);
        std::ranges::stable_sort(ends, std::greater<>(), &End::log);
        examine(ends);
        combine();
        return weightiest();
    }

  private:
    std::vector<End> climb() const {
        auto climbs = begin_climbs();
        std::int64_t used = 0;
        std::vector<std::size_t> asking;
        do {
            asking.clear();
            std::vector<Point> points;
            for (std::size_t k = 0; k < climbs.size(); ++k)
                if (!climbs[k].over()) {
                    asking.push_back(k);
                    points.push_back(climbs[k].proposal());
                }
            used += std::ssize(asking);
            if (asking.empty() || used > plan_.gradients) break;
            const auto slopes = asked_.slopes(points);
            for (std::size_t m = 0; m < asking.size(); ++m) climbs[asking[m]].accept(slopes[m]);
        } while (!asking.empty());
        std::vector<End> ends;
        for (const QuasiNewton& one : climbs)
            if (one.slope().value > rejected)
                ends.push_back({posterior_.line(posterior_.image_near(one.at(), top_)),
                                one.slope().value * posterior_.unit()});
        return ends;
    }

    std::vector<QuasiNewton> begin_climbs() const {
        const StreamSpace& space = posterior_.space();
        const auto axes = free_axes(space);
        std::vector<QuasiNewton> climbs;
        const std::size_t each = scouts_of(axes.size(), plan_.gradients);
        const QuasiNewtonOptions options{scout_tolerance / posterior_.unit(), plan_.noise,
                                         longest_climb};
        const Matrix curvature = curvature_of_first();
        for (std::size_t a = 0; a < axes.size(); ++a)
            for (std::size_t k = 0; k < each; ++k) {
                RandomStream random{plan_.seed, static_cast<std::uint64_t>(Purpose::scout), a, k};
                climbs.emplace_back(
                    space, with_tilted_axis(space, top_, axes[a].theta, axes[a].phi, random),
                    options, &curvature);
            }
        return climbs;
    }

    /// Minus the Hessian of the objective at the first hill, over the cube.
    Matrix curvature_of_first() const {
        Matrix curvature = power(hills_.front().covariance, -1);
        Point stretch;
        for (std::size_t i = 0; i < curvature.n; ++i)
            stretch.push_back(posterior_.priors()[i].cube(hills_.front().at[i]).slope);
        for (std::size_t i = 0; i < curvature.n; ++i)
            for (std::size_t j = 0; j < curvature.n; ++j)
                curvature(i, j) /= stretch[i] * stretch[j] * posterior_.unit();
        return curvature;
    }

    /// The highest ends first: each that is on no hill so far leads to another summit. Many tops of
    /// the density of the parameters lie at bounds, where the density of the unbounded coordinates
    /// vanishes. So ends are compared by the former, and summits by the latter.
    void examine(const std::vector<End>& ends) {
        std::vector<Point> seen{hills_.front().at};
        for (const End& end : ends) {
            if (hills_.size() >= most_summits) return;
            if (!(end.log > ends.front().log - deepest)) return;
            if (std::ranges::any_of(seen, [&](const auto& it) { return near(it, end.at); }))
                continue;
            seen.push_back(end.at);
            const auto is_other = [&](const FoundHill& hill) {
                return dips(end.at, end.log, hill.at, &Scouting::log_of_parameters);
            };
            if (std::ranges::all_of(hills_, is_other)) add_summit(end.at);
        }
    }

    /// Two streams that have several directions each have them in all combinations.
    void combine() {
        const std::size_t others = std::min(hills_.size() - 1, most_combined);
        for (std::size_t a = 1; a <= others; ++a)
            for (std::size_t b = a + 1; b <= others; ++b) {
                Point both = hills_[a].at;
                for (std::size_t i = 0; i < both.size(); ++i)
                    both[i] += hills_[b].at[i] - hills_[0].at[i];
                add_summit(both);
            }
    }

    void add_summit(const Point& from) {
        if (!(asked_.log_densities({from}).front().log > rejected)) return;
        Summit summit = find_summit(from, asked_.densities);
        const Point cube = posterior_.cube(summit.at);
        if (posterior_.image_near(cube, top_) != cube) return;  // it climbed to equivalent points
        const FoundHill found = hill_at(summit, asked_.log_densities({summit.at}).front().log);
        if (!(found.log_density > highest() - deepest)) return;
        for (FoundHill& hill : hills_) {
            if (is_apart(found, hill)) continue;
            if (found.log_density > hill.log_density) hill = found;
            return;
        }
        hills_.push_back(found);
    }

    /// Whether the density dips on the way from one summit to the other.
    bool is_apart(const FoundHill& a, const FoundHill& b) const {
        if (!dips(a.at, a.log_density, b.at, &Scouting::log_of_line)) return false;
        const Summit one{a.at, a.covariance}, other{b.at, b.covariance};
        return !ridge_connects({one, a.log_density}, {other, b.log_density}, dip, asked_.densities,
                               asked_.log_densities);
    }

    double log_of_line(const Point&, const Density& density) const { return density.log; }
    double log_of_parameters(const Point& at, const Density& density) const {
        return posterior_.log_posterior(posterior_.cube(at), density.objective);
    }

    /// Whether the density dips on the straight line from a point, where it is `log`, to another.
    bool dips(const Point& from, double log, const Point& to,
              double (Scouting::*log_of)(const Point&, const Density&) const) const {
        std::vector<Point> way;
        for (int p = 1; p <= line_points + 1; ++p) {
            const double share = static_cast<double>(p) / (line_points + 1);
            Point& point = way.emplace_back(from);
            for (std::size_t i = 0; i < from.size(); ++i) point[i] += share * (to[i] - from[i]);
        }
        const auto densities = asked_.log_densities(way);
        std::vector<double> logs;
        for (std::size_t p = 0; p < way.size(); ++p)
            logs.push_back((this->*log_of)(way[p], densities[p]));
        return std::ranges::min(logs) < std::min(log, logs.back()) - dip;
    }

    /// Whether no parameter differs by much.
    bool near(const Point& a, const Point& b) const {
        const Point one = posterior_.cube(a), other = posterior_.cube(b);
        for (std::size_t i = 0; i < one.size(); ++i)
            if (std::abs(one[i] - other[i]) > same_place * scale_[i]) return false;
        return true;
    }

    double highest() const {
        return std::ranges::max_element(hills_, {}, &FoundHill::log_density)->log_density;
    }

    std::vector<FoundHill> weightiest() {
        std::ranges::stable_sort(hills_, std::greater<>(), &FoundHill::log_weight);
        std::vector<FoundHill> kept;
        for (FoundHill& hill : hills_)
            if (kept.size() < plan_.most_hills &&
                (kept.empty() || hill.log_weight > kept.front().log_weight - lightest))
                kept.push_back(std::move(hill));
        return kept;
    }

    const ScoutedPosterior& asked_;
    const Posterior& posterior_;
    const Point& top_;
    const ScoutPlan& plan_;
    std::vector<FoundHill> hills_;
    Point scale_;  ///< standard deviations of the parameters on the first hill, over the cube
};

}  // namespace

std::size_t number_of_free_axes(const StreamSpace& space) { return free_axes(space).size(); }

std::int64_t expected_scouting(std::size_t axes, std::int64_t affordable) {
    const auto climbs = static_cast<std::int64_t>(axes * scouts_of(axes, affordable));
    return std::min(climbs * gradients_of_climb, affordable);
}

FoundHill hill_at(const Summit& summit, double log_density) {
    return {summit.at, summit.covariance, log_density,
            log_density + log_determinant(summit.covariance) / 2};
}

Point with_tilted_axis(const StreamSpace& space, const Point& at, std::size_t theta,
                       std::size_t phi, RandomStream& random) {
    using Vector = std::array<double, 3>;
    constexpr int attempts = 50;
    const FreeParameter &t = space.free()[theta], &p = space.free()[phi];
    const double polar = t.lower + t.width() * at[theta], turn = p.lower + p.width() * at[phi];
    const Vector axis{std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn),
                      std::cos(polar)};
    const Vector down{std::cos(polar) * std::cos(turn), std::cos(polar) * std::sin(turn),
                      -std::sin(polar)};
    const Vector sideways{-std::sin(turn), std::cos(turn), 0};
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const double tilt = random.uniform(0, std::numbers::pi / 2);
        const double towards = random.uniform(0, 2 * std::numbers::pi);
        Vector tilted{};
        for (std::size_t i = 0; i < 3; ++i)
            tilted[i] =
                std::cos(tilt) * axis[i] +
                std::sin(tilt) * (std::cos(towards) * down[i] + std::sin(towards) * sideways[i]);
        for (const double head : {1.0, -1.0}) {
            Point point = at;
            const double z = std::clamp(head * tilted[2], -1.0, 1.0);
            point[theta] = (std::acos(z) - t.lower) / t.width();
            point[phi] = (std::atan2(head * tilted[1], head * tilted[0]) - p.lower) / p.width();
            const auto valid = [&](std::size_t i) {
                return space.goes_round(i) || (point[i] >= 0 && point[i] <= 1);
            };
            if (valid(theta) && valid(phi)) return point;
        }
    }
    return at;
}

std::vector<FoundHill> scout_hills(const ScoutedPosterior& asked, const Point& top,
                                   const Summit& first, const ScoutPlan& plan) {
    return Scouting(asked, top, first, plan).run();
}

}  // namespace tessera::likelihood
