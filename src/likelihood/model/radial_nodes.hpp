// The quadrature along a line of sight. Nodes and weights depend on the distance, not on the
// direction. Formulas: docs/method/likelihood.md.
#pragma once

#include <cstddef>
#include <vector>

#include "io/streams/stream_model.hpp"
#include "likelihood/model/gauss_legendre.hpp"

namespace tessera::likelihood {

/// Magnitude g0 of a turnoff star at a heliocentric distance, and the inverse.
double magnitude_at(double kpc);
double distance_of(double magnitude);

/// Points of a line of sight and the weights of the density there.
struct RadialNodes {
    std::vector<double> radius;  ///< kpc from the Sun
    std::vector<double> weight;
    /// Magnitude for the auxiliary quadratic: that of the node in the classic model, the mirrored
    /// one in the 2018 model. The latter is a slip of the MilkyWay@Home application that its
    /// results contain.
    std::vector<double> magnitude;
};

/// The convolution over the absolute magnitudes of turnoff stars at one apparent distance.
class LineOfSight {
  public:
    /// The part of a node that does not depend on the distance.
    struct Node {
        double offset;  ///< difference from the observed magnitude
        double ratio;   ///< true distance over apparent distance
        double weight;  ///< w_i ratio^3, times N_i for the Gaussian turnoff
    };
    /// The part that depends on the distance:
    /// weight_i = along * node.weight * exp(-offset^2 (offset <= 0 ? faint : bright)).
    struct Seen {
        double along, faint, bright;
    };

    /// Uses the model kind and the turnoff of `model`. `rule` has `convolve` nodes.
    LineOfSight(const io::StreamModel& model, const QuadratureRule& rule);

    int nodes() const { return static_cast<int>(nodes_.size()); }
    const std::vector<Node>& table() const { return nodes_; }
    Seen seen_at(double kpc) const;

    /// Appends the nodes of distance `kpc` to `to`. The weights are
    /// weight_i = factor * efficiency(g') / r'^3 * w_i r_i^3 N_i.
    /// The sum of weight_i rho(r_i) is then `factor` times the density p of observed stars at this
    /// distance.
    void append(double kpc, double factor, RadialNodes& to) const;
    /// The same, but overwrites the nodes from `first` on.
    void fill(double kpc, double factor, RadialNodes& to, std::size_t first) const;
    static void resize(RadialNodes& nodes, std::size_t size);

  private:
    bool classic_, newby_;
    std::vector<Node> nodes_;
};

/// All nodes of an area: node i of cell k is at k * convolve + i. The weights contain the volume of
/// the cell, with the step of mu but without nu_weight().
RadialNodes area_nodes(const io::Area& area, const LineOfSight& line);

}  // namespace tessera::likelihood
