// The asynchronous Newton method: quadratics through points that come back in any order.
#pragma once

#include <memory>

#include "likelihood/fit/steady_population.hpp"

namespace tessera::likelihood {

/// After Desell, Magdon-Ismail, Newberg, Newberg, Szymanski & Varela 2017, "A robust asynchronous
/// Newton method for massive scale computing systems" (arXiv:1702.02204): random points in a box
/// around the best point give a quadratic by least squares, and random points along the step to its
/// maximum give the next best point. The first points are random over the whole cube. A box takes
/// as many points as the population has members. What makes it wider or narrower is our own.
std::unique_ptr<SteadyPopulation> make_steady_newton(const Space& space,
                                                     const PopulationOptions& options);

}  // namespace tessera::likelihood
