#include "likelihood/model/combine.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/compensated_sum.hpp"

namespace tessera::likelihood {

namespace {

/// The value that the MilkyWay@Home application counts for a star that a component does not see:
/// -238 - 3.
constexpr double unseen = -241, unseen_below = 1e-15;

bool has_integral(const StreamModel& model, std::size_t component) {
    return component == 0 || std::abs(model.streams[component - 1].sigma) > smallest_sigma;
}

void set_integrals(const StreamModel& model, const std::vector<double>& values, double& background,
                   std::vector<double>& streams) {
    background = values[0];
    streams.assign(values.begin() + 1,
                   values.begin() + 1 + static_cast<long>(model.streams.size()));
}

}  // namespace

std::vector<double> component_weights(const StreamModel& model) {
    std::vector<double> weights{
        model.model == io::Model::classic ? std::exp(model.background.epsilon) : 1.0};
    for (const io::Stream& stream : model.streams) weights.push_back(std::exp(stream.epsilon));
    return weights;
}

Evaluation combine(const StreamModel& model, const std::vector<std::vector<double>>& integrals,
                   std::span<const double> densities, Wanted wanted) {
    Evaluation result;
    const std::vector<double> weights = component_weights(model);
    const std::size_t components = weights.size();
    std::vector<double> whole = integrals.at(0), uncut = whole;
    for (std::size_t k = 0; k < components; ++k) {
        for (std::size_t area = 1; area < integrals.size(); ++area) whole[k] -= integrals[area][k];
        if (!has_integral(model, k)) whole[k] = uncut[k] = 0;
    }
    set_integrals(model, whole, result.background_integral, result.stream_integrals);
    if (integrals.size() > 1) result.uncut_integrals = uncut;

    const double all_weights = std::accumulate(weights.begin(), weights.end(), 0.0);
    const std::size_t stars = densities.size() / components;
    // The logarithms are computed in parallel. The sums run in the order of the stars.
    const std::size_t columns = components + 1;
    std::vector<double> logarithms(stars * columns);
#pragma omp parallel for if (stars > 4096)
    for (std::size_t s = 0; s < stars; ++s) {
        double density = 0;
        double* const row = logarithms.data() + s * columns;
        for (std::size_t k = 0; k < components; ++k) {
            const double share = densities[s * components + k] / whole[k] * weights[k];
            density += share;
            row[k] = std::abs(share) < unseen_below ? unseen : std::log10(share / all_weights);
        }
        row[components] = std::log10(density / all_weights);
    }
    std::vector<CompensatedSum<double>> alone(columns);
    for (std::size_t s = 0; s < stars; ++s) {
        for (std::size_t k = 0; k < columns; ++k) alone[k].add(logarithms[s * columns + k]);
        if (wanted.star_densities)
            result.star_log10_density.push_back(logarithms[s * columns + components]);
    }
    const auto mean = [stars](const CompensatedSum<double>& sum) {
        const double value = std::isfinite(sum.value) ? sum.result() : sum.value;
        return value / static_cast<double>(stars);
    };
    result.search_likelihood = mean(alone[components]);
    result.background_likelihood = mean(alone[0]);
    for (std::size_t k = 1; k < components; ++k)
        result.stream_only_likelihoods.push_back(mean(alone[k]));
    return result;
}

}  // namespace tessera::likelihood
