// The trajectory of one draw of the No-U-Turn Sampler.
#pragma once

#include <cstdint>
#include <vector>

#include "likelihood/sample/draw.hpp"
#include "likelihood/sample/metric.hpp"

namespace tessera::likelihood {

/// A trajectory doubles in a random direction until it turns back on itself (Hoffman & Gelman 2014)
/// by the generalised criterion, and draws from its points by their weights (Betancourt 2017,
/// appendix A.3 and A.4). Halves of every doubling are checked, too, and the two pairs of a half
/// with the nearest point of the other (as Stan does since 2.21). The caller alternates proposal()
/// and accept() until the trajectory is over.
class NutsTrajectory {
  public:
    /// `metric` must outlive the trajectory.
    NutsTrajectory(const Metric& metric, const State& start, double step_size, int most_doublings,
                   RandomStream random);

    bool over() const { return over_; }
    /// The point whose density accept() needs next.
    const Point& proposal() const { return current_.state.at; }
    void accept(const Density& density);
    /// What was drawn, once the trajectory is over.
    Draw draw() const;

  private:
    /// A state with its momentum.
    struct Phase {
        State state;
        Point momentum;
    };
    /// An end of a part of the trajectory.
    struct End {
        Point momentum, velocity;
    };
    /// A part of the trajectory, from its earlier to its later end in fictitious time.
    struct Part {
        End first, last;
        Point sum;  ///< of all momenta
        double log_weight = 0;
        State drawn;
        int doublings = 0;
    };

    End end_of(const Phase& phase) const;
    double energy(const Phase& phase) const;
    void begin_doubling();
    void begin_leap();
    /// Joins the part that was made last to the one before it. False if they turn back.
    bool join_last();
    bool join(Part& earlier, Part& later, bool new_is_later, double log_chance, Part& joined);
    void finish_doubling();

    const Metric& metric_;
    RandomStream random_;
    double step_size_;
    int most_doublings_;
    double begun_at_ = 0;  ///< energy of the first state
    bool over_ = false, forward_ = true, diverging_ = false;
    double acceptance_sum_ = 0;
    std::int32_t leaps_ = 0;
    Part whole_;
    Phase first_, last_, current_;  ///< ends of the whole trajectory; the state that moves
    std::vector<Part> parts_;       ///< of the doubling under way, each shorter than the one before
};

}  // namespace tessera::likelihood
