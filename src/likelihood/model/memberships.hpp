// Probabilities that stars belong to the components of a model (docs/method/likelihood.md).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tessera::likelihood {

/// Turns the terms [star][component] of the stars' densities, (p_k / I_k) W_k or a multiple of them
/// for each star, into probabilities: each term over the sum of its row, added up in the order of
/// the components. The rows then sum to 1 within rounding.
std::vector<double> memberships_of(std::vector<double> terms, std::size_t components);

/// Sum of the probabilities [star][component] over the stars: the number of stars that each
/// component is expected to have.
std::vector<double> expected_stars(std::span<const double> memberships, std::size_t components);

/// "background", "stream1", "stream2" ... as in the names of parameters.
std::vector<std::string> component_labels(std::size_t components);

}  // namespace tessera::likelihood
