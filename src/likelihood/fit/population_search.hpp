// Searches that move a population of points: differential evolution and particle swarm.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "likelihood/fit/objective.hpp"

namespace tessera::likelihood {

struct PopulationOptions {
    int population = 0;    ///< 4 or more
    int generations = 0;   ///< including the first, random one
    double tolerance = 0;  ///< stops if best and median of the population differ by less
    std::uint64_t seed = 1;
    std::uint64_t start = 0;   ///< number of the search, part of the key of its random numbers
    std::vector<Point> given;  ///< points of the first generation that are not random
};

struct Candidate {
    Point at;
    double value = rejected;
};

/// The caller alternates proposals() and accept() until the search is over.
class PopulationSearch {
  public:
    virtual ~PopulationSearch() = default;
    /// The points of the next generation.
    virtual std::vector<Point> proposals() = 0;
    /// Takes the values of the proposed points.
    virtual void accept(std::span<const double> values) = 0;
    virtual bool over() const = 0;
    virtual int generation() const = 0;
    /// The best point of each member so far.
    virtual const std::vector<Candidate>& population() const = 0;
};

/// "current to p-best" with binomial crossover (Zhang & Sanderson 2009, without its adaptation).
std::unique_ptr<PopulationSearch> make_differential_evolution(const Space& space,
                                                              const PopulationOptions& options);

/// Particles with inertia (constants of Clerc & Kennedy 2002). Each is attracted to its own best
/// point and to the best point of its neighbours on a ring.
std::unique_ptr<PopulationSearch> make_particle_swarm(const Space& space,
                                                      const PopulationOptions& options);

/// The indices of the members, best value first. Members with equal values are ordered by index.
std::vector<std::size_t> by_likelihood(const std::vector<Candidate>& population);
/// Whether best and median differ by less than `tolerance`.
bool has_settled(const std::vector<Candidate>& population, double tolerance);
/// The first generation: the given points, then random ones.
std::vector<Point> first_points(const Space& space, const PopulationOptions& options);
/// The best members that lie apart from each other, folded. Rejected members are left out.
std::vector<Point> distinct_leaders(const Space& space, const std::vector<Candidate>& population,
                                    std::size_t most);
/// Moves a coordinate that is outside the cube half-way between the bound and `from`. Coordinates
/// that wrap around stay as they are.
Point pulled_inside(const Space& space, Point point, const Point& from);

}  // namespace tessera::likelihood
