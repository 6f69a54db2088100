// The electrostatic potential of a frame at points (declared in orbital_evaluation.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "orbital_evaluation.hpp"
#include "orbitals/basis/hermite_density.hpp"
#include "process_device.hpp"

namespace tessera::python {

void OrbitalEvaluation::potential_at(double tolerance, std::span<const double> points,
                                     std::span<double> out) {
    if (!(tolerance >= 0 && tolerance <= 1))
        throw Error(fmt::format("tolerance is {:g}", tolerance), "it is hartree/e, from 0 to 1",
                    "choose another");
    const auto weights = orbitals::density_weights(wavefunction(), false);
    std::vector<Vec3> places;
    places.reserve(points.size() / 3);
    for (std::size_t i = 0; i < points.size(); i += 3)
        places.push_back({points[i], points[i + 1], points[i + 2]});
    compute([&] {
        if (!potential_ || potential_tolerance_ != tolerance) {
            if (!potential_)
                potential_ = kernels::kept_if_lost(
                    kernels::make_potential_evaluator(running_device().backend));
            potential_tolerance_ = -1;
            potential_->load(orbitals::potential_problem(wavefunction(), weights, tolerance));
            potential_tolerance_ = tolerance;
        }
        std::ranges::copy(potential_->evaluate(places), out.begin());
    });
}

}  // namespace tessera::python
