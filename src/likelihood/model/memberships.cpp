#include "likelihood/model/memberships.hpp"

#include "core/compensated_sum.hpp"

namespace tessera::likelihood {

std::vector<double> memberships_of(std::vector<double> terms, std::size_t components) {
    for (std::size_t first = 0; first < terms.size(); first += components) {
        const std::span<double> row = std::span(terms).subspan(first, components);
        double density = 0;
        for (const double term : row) density += term;
        for (double& term : row) term /= density;
    }
    return terms;
}

std::vector<double> expected_stars(std::span<const double> memberships, std::size_t components) {
    std::vector<CompensatedSum<double>> sums(components);
    for (std::size_t i = 0; i < memberships.size(); ++i) sums[i % components].add(memberships[i]);
    std::vector<double> stars;
    stars.reserve(components);
    for (const CompensatedSum<double>& sum : sums) stars.push_back(sum.result());
    return stars;
}

std::vector<std::string> component_labels(std::size_t components) {
    std::vector<std::string> labels;
    labels.reserve(components);
    for (std::size_t k = 0; k < components; ++k)
        labels.push_back(k == 0 ? "background" : "stream" + std::to_string(k));
    return labels;
}

}  // namespace tessera::likelihood
