#include "likelihood/simulate/simulate_observables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "likelihood/model/observed_density.hpp"
#include "likelihood/model/radial_nodes.hpp"

namespace tessera::likelihood {

namespace {

constexpr double reference_magnitude = 18;  // of Observable::simulated_error

/// Draws a population of the background by its weight.
const io::Population& drawn_population(const std::vector<io::Population>& all,
                                       RandomStream& random) {
    double sum = 0;
    for (const io::Population& one : all) sum += std::exp(one.epsilon);
    double left = random.uniform() * sum;
    for (const io::Population& one : all) {
        left -= std::exp(one.epsilon);
        if (left < 0) return one;
    }
    return all.back();
}

}  // namespace

std::vector<double> simulated_errors(const StreamModel& model, double r, RandomStream& random) {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    const std::size_t count = model.observables.size();
    const double fainter = magnitude_at(r) - reference_magnitude;
    std::vector<double> observed(io::observed_numbers(count), 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        const io::Observable& one = model.observables[i];
        const bool measured = random.uniform() < one.simulated_share;
        observed[i] = measured ? 0 : missing;
        observed[count + i] =
            measured ? one.simulated_error * std::pow(one.simulated_growth, fainter) : missing;
    }
    return observed;
}

std::vector<double> simulated_values(const StreamModel& model, int component, double x,
                                     const std::vector<double>& errors, RandomStream& random) {
    const std::vector<io::Spread>& spreads =
        component == 0 ? drawn_population(model.background.populations, random).observables
                       : model.streams[static_cast<std::size_t>(component) - 1].observables;
    std::vector<double> normals;
    for (std::size_t i = 0; i < spreads.size(); ++i) normals.push_back(random.normal());
    std::vector<double> observed = errors;
    std::ranges::copy(ObservedNormal(spreads, errors, x).values(normals), observed.begin());
    return observed;
}

}  // namespace tessera::likelihood
