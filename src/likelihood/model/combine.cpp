#include "likelihood/model/combine.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/compensated_sum.hpp"
#include "likelihood/model/memberships.hpp"

namespace tessera::likelihood {

namespace {

/// The value that the MilkyWay@Home application counts for a star that a component does not see:
/// -238 - 3.
constexpr double unseen = -241, unseen_below = 1e-15;

bool has_integral(const StreamModel& model, std::size_t component) {
    return component == 0 || std::abs(model.streams[component - 1].sigma) > smallest_sigma;
}

/// The integrals of the components with and without the cuts, and their weights.
struct Whole {
    std::vector<double> integrals, uncut, weights;
    std::vector<int>
        empty_streams;  ///< their weights are 0, and their integrals 1 for the division
};

Whole whole_of(const StreamModel& model, const std::vector<std::vector<double>>& areas,
               bool allow_empty_streams) {
    Whole whole{areas.at(0), areas.at(0), component_weights(model), {}};
    for (std::size_t k = 0; k < whole.weights.size(); ++k) {
        double& integral = whole.integrals[k];
        for (std::size_t area = 1; area < areas.size(); ++area) integral -= areas[area][k];
        if (!has_integral(model, k)) {
            integral = whole.uncut[k] = 0;
        } else if (allow_empty_streams && k > 0 &&
                   is_empty(integral, areas.size() > 1 ? whole.uncut[k] : 0)) {
            whole.empty_streams.push_back(static_cast<int>(k));
            whole.weights[k] = 0;
            integral = 1;
        }
    }
    return whole;
}

/// The integrals as the result has them: those of empty streams are 0.
void set_integrals(const Whole& whole, Evaluation& to) {
    to.background_integral = whole.integrals[0];
    to.stream_integrals.assign(whole.integrals.begin() + 1, whole.integrals.end());
    for (const int stream : whole.empty_streams)
        to.stream_integrals[static_cast<std::size_t>(stream) - 1] = 0;
    to.empty_streams = whole.empty_streams;
}

/// Terms of the densities of the stars [star][component], W_k p_k / I_k, and their logarithms
/// [star][component and then the sum].
struct StarTerms {
    std::vector<double> terms, logarithms;
};

/// The logarithms are computed in parallel, each star by itself.
StarTerms star_terms(const Whole& whole, std::span<const double> densities,
                     const ObservedFactors& observed) {
    const std::size_t components = whole.weights.size(), columns = components + 1;
    const std::size_t stars = densities.size() / components;
    const double all_weights = std::accumulate(whole.weights.begin(), whole.weights.end(), 0.0);
    StarTerms of{std::vector<double>(densities.size()), std::vector<double>(stars * columns)};
#pragma omp parallel for if (stars > 4096)
    for (std::size_t s = 0; s < stars; ++s) {
        double density = 0;
        double* const row = of.logarithms.data() + s * columns;
        const bool has_factors = !observed.factors.empty();
        for (std::size_t k = 0; k < components; ++k) {
            double share = densities[s * components + k] / whole.integrals[k] * whole.weights[k];
            if (has_factors) share *= observed.factors[s * components + k];
            density += share;
            of.terms[s * components + k] = share;
            row[k] = std::abs(share) < unseen_below ? unseen : std::log10(share / all_weights);
        }
        row[components] = std::log10(density / all_weights);
        if (!observed.log10_scale.empty())
            for (std::size_t k = 0; k < columns; ++k) row[k] += observed.log10_scale[s];
    }
    return of;
}

/// The means over the stars. The sums run in the order of the stars.
void set_likelihoods(const std::vector<double>& logarithms, std::size_t columns, Evaluation& to) {
    const std::size_t stars = logarithms.size() / columns;
    std::vector<CompensatedSum<double>> sums(columns);
    for (std::size_t i = 0; i < logarithms.size(); ++i) sums[i % columns].add(logarithms[i]);
    const auto mean = [stars](const CompensatedSum<double>& sum) {
        const double value = std::isfinite(sum.value) ? sum.result() : sum.value;
        return value / static_cast<double>(stars);
    };
    to.search_likelihood = mean(sums[columns - 1]);
    to.background_likelihood = mean(sums[0]);
    for (std::size_t k = 1; k + 1 < columns; ++k)
        to.stream_only_likelihoods.push_back(mean(sums[k]));
}

}  // namespace

std::vector<double> component_weights(const StreamModel& model) {
    std::vector<double> weights{
        model.model == io::Model::classic ? std::exp(model.background.epsilon) : 1.0};
    for (const io::Stream& stream : model.streams) weights.push_back(std::exp(stream.epsilon));
    return weights;
}

Evaluation combine(const StreamModel& model, const WedgeSums& sums, Wanted wanted,
                   bool allow_empty_streams) {
    Evaluation result;
    const Whole whole = whole_of(model, sums.integrals, allow_empty_streams);
    set_integrals(whole, result);
    if (sums.integrals.size() > 1) result.uncut_integrals = whole.uncut;
    const std::size_t components = whole.weights.size(), columns = components + 1;
    StarTerms of = star_terms(whole, sums.densities, sums.observed);
    set_likelihoods(of.logarithms, columns, result);
    if (wanted.star_densities)
        for (std::size_t i = components; i < of.logarithms.size(); i += columns)
            result.star_log10_density.push_back(of.logarithms[i]);
    if (wanted.memberships) result.memberships = memberships_of(std::move(of.terms), components);
    return result;
}

}  // namespace tessera::likelihood
