// The observables of the stars of a wedge and its selection function, as the kernels take them
// (docs/method/likelihood.md).
#pragma once

#include <span>
#include <vector>

#include "kokkos_kernels/likelihood/observed/table.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// The stars as the kernels take them; empty without observables. Throws Error if the stars lack
/// the observables of the model.
kernels::ObservedTable observed_table(const StreamModel& like, std::span<const Star> stars);

/// The distributions of a model: [population, then stream][distribution_numbers()]. Empty without
/// observables.
std::vector<double> observed_distributions(const StreamModel& model);

/// What multiplies the density of each star whatever the parameters are: the completeness and
/// powers of 2 pi. Its decimal logarithms and their mean.
struct FixedScales {
    FixedScales(const StreamModel& like, std::span<const Star> stars);

    std::vector<double> log10_scale;  ///< [star]; empty: all are 0
    double mean = 0;
};

/// Densities of the observables of each star in each component. The largest one of a star is 1 and
/// the scale of the star apart, so that no star has densities that are too small for a double.
struct ObservedFactors {
    std::vector<double> factors;      ///< [star][component], background first; empty: all are 1
    std::vector<double> log10_scale;  ///< [star], with FixedScales; empty: all are 0
};

/// The factors of a model, computed on the processor.
ObservedFactors observed_factors(const StreamModel& model, std::span<const Star> stars);

/// Adds the derivatives of the mean log10 density by the numbers of the observables to a gradient
/// in the order of parameter_names(). `slopes` [distribution][slope_numbers()] are the sums of the
/// kernels over so many stars.
void add_observed_gradient(const StreamModel& model, std::span<const double> slopes,
                           std::size_t stars, std::span<double> gradient);

}  // namespace tessera::likelihood
