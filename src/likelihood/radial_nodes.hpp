// The quadrature along a line of sight: nodes and weights depend on the distance alone, not on the
// direction. Formulas: docs/likelihood.md.
#pragma once

#include <vector>

#include "io/stream_model.hpp"
#include "likelihood/gauss_legendre.hpp"

namespace tessera::likelihood {

/// Magnitude g0 of a turnoff star at a heliocentric distance, and back.
double magnitude_at(double kpc);
double distance_of(double magnitude);

/// Points of a line of sight and what the density counts there.
struct RadialNodes {
    std::vector<double> radius;  ///< kpc from the Sun
    std::vector<double> weight;
    /// That the auxiliary quadratic is taken at: the node's in the classic model, the mirrored one in
    /// the 2018 model (a slip of the application that its results contain).
    std::vector<double> magnitude;
};

/// The convolution over absolute magnitudes of turnoff stars seen at one distance.
class LineOfSight {
  public:
    /// Takes model, turnoff; `rule` has the model's `convolve` nodes.
    LineOfSight(const io::StreamModel& model, const QuadratureRule& rule);

    int nodes() const { return static_cast<int>(nodes_.size()); }

    /// Appends the nodes of distance `kpc` to `to`, weights times `factor`:
    /// weight_i = factor * efficiency(g') / r'^3 * w_i r_i^3 N_i, so that sum weight_i rho(r_i) is the
    /// density p of observed stars there (times factor).
    void append(double kpc, double factor, RadialNodes& to) const;

  private:
    /// What does not depend on the distance.
    struct Node {
        double offset;  ///< magnitudes from the observed one
        double ratio;   ///< of the distances
        double weight;  ///< w_i ratio^3, times N_i of the one Gaussian
    };

    bool classic_, newby_;
    std::vector<Node> nodes_;
};

/// All nodes of an area, cell by cell: node k * convolve + i; weights hold the cell's volume but for
/// nu_weight (they hold the step of mu).
RadialNodes area_nodes(const io::Area& area, const LineOfSight& line);

}  // namespace tessera::likelihood
