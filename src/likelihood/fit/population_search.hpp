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
    int generations = 0;   ///< the first, random one included
    double tolerance = 0;  ///< ends where best and median of the population differ by less
    std::uint64_t seed = 1;
    std::uint64_t start = 0;   ///< number of the search, part of the key of its random numbers
    std::vector<Point> given;  ///< points of the first generation that are not random
};

struct Candidate {
    Point at;
    double value = rejected;
};

/// Asked for points and told their values, in turn, until it is over.
class PopulationSearch {
  public:
    virtual ~PopulationSearch() = default;
    /// The points of the next generation.
    virtual std::vector<Point> proposals() = 0;
    /// Their values.
    virtual void accept(std::span<const double> values) = 0;
    virtual bool over() const = 0;
    virtual int generation() const = 0;
    /// What the search has found: each member's best point so far.
    virtual const std::vector<Candidate>& population() const = 0;
};

/// "current to p-best" with binomial crossover (Zhang & Sanderson 2009, without its adaptation).
std::unique_ptr<PopulationSearch> make_differential_evolution(const Space& space,
                                                              const PopulationOptions& options);

/// Particles with inertia (Clerc & Kennedy 2002 constants), drawn to their own best point and to
/// the best of a ring of neighbours.
std::unique_ptr<PopulationSearch> make_particle_swarm(const Space& space,
                                                      const PopulationOptions& options);

/// The members' indices, best value first; equal ones by index.
std::vector<std::size_t> by_likelihood(const std::vector<Candidate>& population);
/// Whether best and median differ by less than `tolerance`.
bool has_settled(const std::vector<Candidate>& population, double tolerance);
/// The first generation: the given points, then random ones.
std::vector<Point> first_points(const Space& space, const PopulationOptions& options);
/// The best members that lie apart from each other, folded; none that is rejected.
std::vector<Point> distinct_leaders(const Space& space, const std::vector<Candidate>& population,
                                    std::size_t most);
/// Into the cube, but for coordinates that go round: half-way between the bound and `from`.
Point pulled_inside(const Space& space, Point point, const Point& from);

}  // namespace tessera::likelihood
