// The observables of the stars of a wedge and its selection function: the factors by which they
// change the densities of the components at each star (docs/method/likelihood.md).
#pragma once

#include <span>
#include <vector>

#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// Densities of the observables of each star in each component. The largest one of a star is 1 and
/// the scale of the star apart, so that no star has densities that are too small for a double.
struct ObservedFactors {
    std::vector<double> factors;      ///< [star][component], background first; empty: all are 1
    std::vector<double> log10_scale;  ///< [star], with the completeness; empty: all are 0
    double mean_log10_scale = 0;
};

class ObservedStars {
  public:
    /// Throws Error if the stars lack the observables of the model.
    ObservedStars(const StreamModel& like, std::span<const Star> stars);

    /// Without observables, stars differ by the selection function at most.
    bool empty() const { return observables_ == 0; }
    ObservedFactors factors(const StreamModel& model) const;
    /// Adds the derivatives of the mean log10 density by the numbers of the observables to a
    /// gradient in the order of parameter_names(). `terms` [star][component] are those of the
    /// densities of the stars, or a multiple for each star.
    void add_gradient(const StreamModel& model, std::span<const double> terms,
                      std::span<double> gradient) const;

  private:
    void add_factors(const StreamModel& model, ObservedFactors& of) const;

    /// A star of which something is measured.
    struct Measured {
        std::size_t star = 0;
        double along = 0;              ///< place_along()
        std::vector<double> observed;  ///< Star::observed
    };

    std::size_t observables_, stars_;
    std::vector<Measured> measured_;
    std::vector<double> log10_completeness_;  ///< [star]; empty without a selection function
};

}  // namespace tessera::likelihood
