// Integrates the densities of stars over every point of a wedge's cells, on one device.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/compensated_sum.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/likelihood/exact/likelihood_problem.hpp"

namespace tessera::kernels {

class WedgeIntegrator {
  public:
    virtual ~WedgeIntegrator() = default;

    /// Takes the tables of a wedge. They serve any number of models.
    virtual void load(const WedgeTables& wedge) = 0;

    /// Takes the densities that the next calls sum.
    virtual void set_model(const DensityModel& model) = 0;

    /// For each component, the sum of nu_weight * weight * density over `count` columns of an area
    /// from `first` on, with all nodes of each. Launches have a fixed shape, so the bits depend on
    /// the columns alone. Points are left out only if all of them together are below 1e-15 of the
    /// area's sum. Throws TileFailure if memory runs out.
    virtual std::vector<CompensatedSum<double>> integrate(int area, std::int64_t first,
                                                          std::int64_t count) = 0;

    /// Sum of weight * density over the nodes of every star: [star][component].
    virtual std::vector<double> star_densities(const StarTable& stars) = 0;
};

std::unique_ptr<WedgeIntegrator> make_wedge_integrator(Backend backend, Precision precision);

}  // namespace tessera::kernels
