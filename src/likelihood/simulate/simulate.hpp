// Draws stars from the model of a wedge, with the distribution that its likelihood assumes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

struct SimulatedStar {
    Star star;
    int component = 0;  ///< 0: background, 1: first stream ...
};

/// Draws independent stars. A star belongs to component k with probability f_k = W_k / sum W. Its
/// direction is within the wedge, and the density of its observed distance r' is proportional to
/// F(r') S[rho_k](l, b, r') dV (docs/method/likelihood.md). The true position follows rho_k. The
/// turnoff spreads the absolute magnitude within 1.8 mag, as in the quadrature, and the efficiency
/// of the survey rejects stars. Stars beyond the magnitudes of the wedge or within a cut are drawn
/// again.
///
/// Observables follow the distributions of the component. Their errors are those that the model
/// gives for simulated stars or, if stars are given that were measured, those of star i.
///
/// Star i depends on the seed and i alone. Throws Error if a component has almost no stars in the
/// wedge, or if its density is negative or unbounded.
class StarDrawer {
  public:
    /// `model` and `measured`, which is empty or has all stars, must outlive the drawer.
    StarDrawer(const StreamModel& model, std::uint64_t seed, std::span<const Star> measured = {});
    ~StarDrawer();
    /// Stars first ... first + number - 1.
    std::vector<SimulatedStar> draw(std::int64_t first, std::int64_t number) const;

  private:
    class Simulation;
    std::unique_ptr<const Simulation> simulation_;
};

}  // namespace tessera::likelihood
