// The prior of one parameter, and the unbounded coordinate in which it is sampled.
#pragma once

#include <vector>

#include "io/streams/prior_settings.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// A function and its derivative.
struct Rise {
    double value = 0, slope = 0;
};

/// A bounded parameter is sampled in the logit of its place between the bounds (of the place of its
/// logarithm, if its prior is log-uniform), a normal one in units of its sd, and an angle that goes
/// round in radians without bounds. Stan's reference manual 2.36, section 10, has these transforms
/// and their Jacobians. Densities lack constant factors.
class Prior {
  public:
    /// `free`: the bounds of the parameter's coordinate in the cube.
    Prior(const io::PriorSetting& setting, const FreeParameter& free, bool goes_round);

    /// The coordinate in the cube of the unbounded coordinate y, with its slope d cube / dy.
    Rise cube(double y) const;
    /// The unbounded coordinate. What lies at a bound or near it is moved inwards.
    double line(double cube) const;
    /// The natural logarithm of the density of the unbounded coordinate, Jacobian included.
    Rise log_density_on_line(double y) const;
    /// The natural logarithm of the density of the parameter, by its coordinate in the cube.
    Rise log_density(double cube) const;
    /// Whether the parameter may have this value.
    bool contains(double cube) const { return goes_round_ || (cube >= 0 && cube <= 1); }

  private:
    double value(double cube) const { return lower_ + width_ * cube; }

    io::Distribution distribution_;
    bool goes_round_;
    double lower_, width_;  ///< of the cube
    double mean_, sd_;
};

/// A normal prior is cut off so many sd from its mean, where its density is below 1e-21.
inline constexpr double normal_reach = 10;

/// The priors of the free parameters as the bounds of a fit. A parameter that `priors` does not
/// name keeps the bounds of `settings`, within which it is uniform.
io::FitSettings with_prior_bounds(io::FitSettings settings,
                                  const std::vector<io::PriorSetting>& priors);

/// One setting for each free parameter; uniform if `priors` does not name it. Throws Error for a
/// prior of a parameter that is not free.
std::vector<io::PriorSetting> complete_priors(const std::vector<io::PriorSetting>& priors,
                                              const std::vector<FreeParameter>& free);

/// Such as "normal, mean 32, sd 5".
std::string describe(const io::PriorSetting& prior);

}  // namespace tessera::likelihood
