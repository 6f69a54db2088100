// Whether the likelihood is a parabola around its maximum, as the standard errors assume.
#pragma once

#include <array>
#include <vector>

#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/objective.hpp"

namespace tessera::likelihood {

/// Where the check looks, in standard errors of a parameter.
inline constexpr std::array<double, 4> check_places{-2, -1, 1, 2};
/// The largest share by which a drop may differ from that of a parabola, d^2 / 2. The end of an
/// interval is then off by about half of this share.
inline constexpr double tolerated_share = 0.25;

/// Decreases of the natural logarithm of the likelihood at check_places. NaN: the place is beyond a
/// bound, or the parameter has no standard error. Infinite: no likelihood there.
using Drops = std::array<double, check_places.size()>;

/// Evaluates the likelihood at check_places along each parameter that is determined, in one batch.
/// The other determined parameters follow the conditional prediction of the Hessian, C_ji / C_ii
/// times the step, within their bounds. Along this line a parabola drops by d^2 / 2 (Cowan 1998,
/// sections 6.7 and 9.6). `unit` is log_likelihood_unit of the plan. Returns the drops of each
/// parameter.
std::vector<Drops> drops_around(Objective& objective, const Space& space, const Maximum& maximum,
                                double unit);

/// Whether all drops differ from those of a parabola by at most tolerated_share.
bool is_quadratic(const Drops& drops);

/// Number of values that drops_around() asks for.
std::int64_t checked_points(const std::vector<Drops>& drops);

}  // namespace tessera::likelihood
