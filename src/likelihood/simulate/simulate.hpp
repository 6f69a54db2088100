// Stars drawn from a model of a wedge, as its likelihood takes stars to be.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

struct SimulatedStar {
    Star star;
    int component = 0;  ///< 0: background, 1: first stream ...
};

/// Draws independent stars, of component k with the model's fraction f_k = W_k / sum W, at
/// directions within the wedge and observed distances r' with a density proportional to F(r')
/// S[rho_k](l, b, r') dV (docs/method/likelihood.md): positions follow rho_k, the absolute
/// magnitude is spread by the turnoff within the quadrature's 1.8 mag, the survey's efficiency lets
/// stars go, and what is beyond the wedge's magnitudes or within a cut is drawn again. Star i
/// depends on seed and i alone. Throws Error where a component has practically no star in the
/// wedge, and where its density is negative or has no bound.
class StarDrawer {
  public:
    /// `model` must outlive the drawer.
    StarDrawer(const StreamModel& model, std::uint64_t seed);
    ~StarDrawer();
    /// Stars first ... first + number - 1.
    std::vector<SimulatedStar> draw(std::int64_t first, std::int64_t number) const;

  private:
    class Simulation;
    std::unique_ptr<const Simulation> simulation_;
};

/// Stars 0 ... number - 1.
std::vector<SimulatedStar> simulate_stars(const StreamModel& model, std::int64_t number,
                                          std::uint64_t seed);

}  // namespace tessera::likelihood
