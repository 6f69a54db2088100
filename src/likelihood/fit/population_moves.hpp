// How one member of a population moves: the same for searches in generations and point by point.
#pragma once

#include <cstddef>
#include <vector>

#include "likelihood/fit/population_search.hpp"

namespace tessera::likelihood {

/// The trial point of member `i` in differential evolution. `order` is by_likelihood(members).
Point evolved(const Space& space, const std::vector<Candidate>& members,
              const std::vector<std::size_t>& order, std::size_t i, RandomStream& random);

/// Moves particle `i` of a swarm from `at`. `best` are the best points of all particles. `late`:
/// its guide is the best of the swarm instead of the best of its neighbours.
void fly(const Space& space, const std::vector<Candidate>& best, std::size_t i, bool late,
         Point& at, Point& velocity, RandomStream& random);

}  // namespace tessera::likelihood
