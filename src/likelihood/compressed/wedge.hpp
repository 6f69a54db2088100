// A wedge and its stars in the compressed integration: panels along every axis.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/likelihood/compressed/problem.hpp"
#include "likelihood/compressed/axis.hpp"
#include "likelihood/model/model_values.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/selected_areas.hpp"

namespace tessera::likelihood {

/// Columns f of e = f0 cos(mu) cos(nu) + f1 sin(mu) cos(nu) + f2 sin(nu), the direction of stripe
/// coordinates. The vector e must be normalised, because the rotation matrix of the MilkyWay@Home
/// application is orthogonal only to 1e-12.
std::array<Vec3, 3> stripe_frame(int wedge);

/// Panels of radii, mu and nu of an area. Radial panels lie on the logarithm of distance.
struct CompressedArea {
    PanelTree radius, mu, nu;
    std::vector<double> low, high;                            ///< [radial panel] kpc
    std::vector<double> mu_half, nu_half;                     ///< [panel] radians
    std::vector<std::array<double, 2>> mu_centre, nu_centre;  ///< [panel] cosine, sine
    std::array<double, 3> auxiliary{};                        ///< integrals of 1, g, g^2
};

CompressedArea make_compressed_area(const SelectedArea& part, const LineOfSight& line);
kernels::compressed::AreaTables area_tables(const CompressedArea& area);
/// AreaTables::sky of a part with a selection function. Throws Error if it takes too much memory.
std::vector<double> sky_panels(const CompressedArea& area, const SelectedArea& part);
kernels::compressed::StarTables star_tables(const StreamModel& like, const QuadratureRule& rule,
                                            std::span<const Star> stars);

}  // namespace tessera::likelihood
