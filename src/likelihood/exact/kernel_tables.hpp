// A stream model as tables for the kernels.
#pragma once

#include <span>

#include "kokkos_kernels/likelihood/exact/likelihood_problem.hpp"
#include "likelihood/model/model_values.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

QuadratureRule rule_of(const StreamModel& model, Quadrature quadrature);

/// Geometry and nodes of all selected_areas(). They depend only on the wedge, its areas and
/// selection, the model and the turnoff.
kernels::WedgeTables wedge_tables(const StreamModel& model, const LineOfSight& line);

/// Halo, disk and streams, without the auxiliary quadratic.
kernels::DensityModel density_model(const StreamModel& model);

kernels::StarTable star_table(std::span<const Star> stars, const LineOfSight& line);

/// The contribution of the auxiliary quadratic to the background's sum over these nodes. It does
/// not depend on the direction.
double auxiliary_sum(const StreamModel& model, const RadialNodes& nodes);

}  // namespace tessera::likelihood
