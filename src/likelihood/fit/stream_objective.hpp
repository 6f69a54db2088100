// The likelihoods of wedges as an objective over the cube of a StreamSpace.
#pragma once

#include <cstdint>

#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// Search likelihoods of the wedges of a fit, by their evaluators on one device. A point is of the
/// first wedge, unless the number of the wedge, counted from 0, follows its coordinates. The
/// derivative by that number is 0. The objective rejects values that are not finite. It
/// also rejects models whose cuts leave less than a thousandth of a component. The integral is then
/// the difference of nearly equal numbers, and the likelihood may be too large. A stream that has
/// weight 0 is accepted.
class StreamObjective : public Objective {
  public:
    StreamObjective(const StreamSpace& space, WedgeEvaluator& evaluator)
        : space_(space), evaluators_{&evaluator} {}
    StreamObjective(const StreamSpace& space, const WedgeEvaluators& evaluators) : space_(space) {
        for (const auto& one : evaluators) evaluators_.push_back(one.get());
    }

    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;

    /// Points rejected because of their cuts.
    std::int64_t cut_away() const { return cut_away_; }

  private:
    double value(const Evaluation& evaluation);
    std::size_t wedge_of(const Point& point) const;
    std::vector<Evaluation> evaluate(std::span<const Point> points, Wanted wanted);

    const StreamSpace& space_;
    std::vector<WedgeEvaluator*> evaluators_;
    std::int64_t cut_away_ = 0;
};

}  // namespace tessera::likelihood
