// The quadrature along a line of sight: nodes and weights depend on the distance alone, not on the
// direction. Formulas: docs/method/likelihood.md.
#pragma once

#include <cstddef>
#include <vector>

#include "io/streams/stream_model.hpp"
#include "likelihood/model/gauss_legendre.hpp"

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
    /// What does not depend on the distance.
    struct Node {
        double offset;  ///< magnitudes from the observed one
        double ratio;   ///< of the distances
        double weight;  ///< w_i ratio^3, times N_i of the one Gaussian
    };
    /// What does: weight_i = along * node.weight * exp(-offset^2 (offset <= 0 ? faint : bright)).
    struct Seen {
        double along, faint, bright;
    };

    /// Takes model, turnoff; `rule` has the model's `convolve` nodes.
    LineOfSight(const io::StreamModel& model, const QuadratureRule& rule);

    int nodes() const { return static_cast<int>(nodes_.size()); }
    const std::vector<Node>& table() const { return nodes_; }
    Seen seen_at(double kpc) const;

    /// Appends the nodes of distance `kpc` to `to`, weights times `factor`:
    /// weight_i = factor * efficiency(g') / r'^3 * w_i r_i^3 N_i, so that sum weight_i rho(r_i) is the
    /// density p of observed stars there (times factor).
    void append(double kpc, double factor, RadialNodes& to) const;
    /// The same into places that are there already, from `first` on.
    void fill(double kpc, double factor, RadialNodes& to, std::size_t first) const;
    static void resize(RadialNodes& nodes, std::size_t size);

  private:
    bool classic_, newby_;
    std::vector<Node> nodes_;
};

/// All nodes of an area, cell by cell: node k * convolve + i; weights hold the cell's volume but for
/// nu_weight (they hold the step of mu).
RadialNodes area_nodes(const io::Area& area, const LineOfSight& line);

}  // namespace tessera::likelihood
