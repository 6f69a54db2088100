#include "docking/search/two_folds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>

#include "core/cross.hpp"

namespace tessera::docking {

namespace {

/// Rings whose atoms are farther apart do not meet, Angstrom.
constexpr double reach = 8;

/// Angles and heights of two-fold axes. After 180 degrees / n the angles repeat the same
/// assemblies.
struct TwoFoldGrid {
    Vec3 axis, foot;     ///< the axis of the ring, and its point nearest to the receptor's centre
    Vec3 first, second;  ///< unit vectors across the axis, at right angles
    double angle_step = 0, height_step = 0, lowest = 0;
    std::int64_t angles = 0, heights = 0;

    kernels::AssemblyAxes at(std::int64_t angle, std::int64_t height) const {
        const double turn = angle_step * static_cast<double>(angle);
        const double along = lowest + height_step * static_cast<double>(height);
        return {axis, std::cos(turn) * first + std::sin(turn) * second, foot + along * axis};
    }
    std::int64_t size() const { return angles * heights; }
};

/// A unit vector across the axis: away from it to the receptor's centre, if that is not on it.
Vec3 across(Vec3 axis, Vec3 outward) {
    if (norm(outward) > 1e-3) return (1 / norm(outward)) * outward;
    const Vec3 other = std::abs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 v = cross(axis, other);
    return (1 / norm(v)) * v;
}

TwoFoldGrid grid_of(const kernels::RigidPose& next, const kernels::Ring& ring,
                    const std::vector<Vec3>& ligand, double spacing) {
    TwoFoldGrid grid;
    grid.axis = kernels::axis_of(next.rotation);
    grid.foot = kernels::nearest_on_axis(next, ring);
    const Vec3 outward = ring.center - grid.foot;
    grid.first = across(grid.axis, outward);
    grid.second = cross(grid.axis, grid.first);
    double low = 0, high = 0, squares = 0;
    for (const Vec3& atom : ligand) {
        const double height = dot(atom, grid.axis);
        low = std::min(low, height);
        high = std::max(high, height);
        const Vec3 from_axis = outward + atom - height * grid.axis;
        squares += dot(from_axis, from_axis);
    }
    // A step of the axis moves the other ring by twice as much. Atoms at their root-mean-square
    // distance from the axis of the ring then move by two steps of the grid.
    const double radius = std::sqrt(squares / static_cast<double>(ligand.size()));
    const double period = std::numbers::pi / ring.copies;
    grid.angles = std::max<std::int64_t>(3, std::llround(std::ceil(period * radius / spacing)));
    grid.angle_step = period / static_cast<double>(grid.angles);
    grid.height_step = spacing / 2;
    grid.lowest = low - reach / 2;
    grid.heights = std::llround(std::ceil((high - low + reach) / grid.height_step)) + 1;
    return grid;
}

double weighted(const Terms& weights, const Terms& terms) {
    double sum = 0;
    for (int t = 0; t < term_count; ++t) sum += weights[t] * terms[t];
    return sum;
}

/// The terms of the pairs of copies in different rings.
Terms terms_across(const kernels::Assembly& assembly, const kernels::Ring& ring,
                   const PlacedTerms& terms) {
    const auto copies = kernels::further_copies(assembly.next, &assembly.opposite, ring);
    Terms sum{};
    for (auto copy = copies.begin() + (ring.copies - 1); copy != copies.end(); ++copy) {
        const Terms own = terms(*copy);
        for (int t = 0; t < term_count; ++t) sum[t] += kernels::pairs_across(ring.copies) * own[t];
    }
    return sum;
}

/// Whether no neighbour on the grid has a lower score. Of equal ones the first counts.
bool is_minimum(const std::vector<double>& scores, const TwoFoldGrid& grid, std::int64_t place) {
    const std::int64_t angle = place / grid.heights, height = place % grid.heights;
    for (const std::int64_t turn : {-1, 0, 1})
        for (const std::int64_t step : {-1, 0, 1}) {
            const std::int64_t h = height + step;
            if (h < 0 || h >= grid.heights) continue;
            const std::int64_t other =
                (angle + turn + grid.angles) % grid.angles * grid.heights + h;
            if (std::tuple(scores[other], other) < std::tuple(scores[place], place)) return false;
        }
    return true;
}

}  // namespace

std::vector<FoundAssembly> find_two_folds(const kernels::RigidPose& next, const kernels::Ring& ring,
                                          const PlacedTerms& terms, const std::vector<Vec3>& ligand,
                                          const Terms& weights, double spacing) {
    const TwoFoldGrid grid = grid_of(next, ring, ligand, spacing);
    std::vector<double> scores(grid.size());
    const auto assembly_at = [&](std::int64_t place) {
        return kernels::assembly_of(grid.at(place / grid.heights, place % grid.heights), ring);
    };
#pragma omp parallel for schedule(dynamic, 16)
    for (std::int64_t place = 0; place < grid.size(); ++place)
        scores[place] = weighted(weights, terms_across(assembly_at(place), ring, terms));
    std::vector<std::int64_t> minima;
    for (std::int64_t place = 0; place < grid.size(); ++place)
        if (scores[place] < 0 && is_minimum(scores, grid, place)) minima.push_back(place);
    std::ranges::sort(minima, {},
                      [&](std::int64_t place) { return std::tuple(scores[place], place); });
    minima.resize(std::min(minima.size(), two_folds_per_ring));
    const Terms within = ring_terms(terms, next, ring);
    std::vector<FoundAssembly> found;
    for (const std::int64_t place : minima) {
        FoundAssembly one{assembly_at(place), within};
        const Terms across = terms_across(one.assembly, ring, terms);
        for (int t = 0; t < term_count; ++t) one.terms[t] += across[t];
        one.score = weighted(weights, one.terms);
        found.push_back(one);
    }
    return found;
}

}  // namespace tessera::docking
