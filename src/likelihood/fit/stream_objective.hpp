// The likelihood of a wedge as an objective over the cube of a StreamSpace.
#pragma once

#include <cstdint>

#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// Search likelihoods by one evaluator on one device. It rejects values that are not finite. It
/// also rejects models whose cuts leave less than a thousandth of a component. The integral is then
/// the difference of nearly equal numbers, and the likelihood may be too large. A stream that has
/// weight 0 is accepted.
class StreamObjective : public Objective {
  public:
    StreamObjective(const StreamSpace& space, WedgeEvaluator& evaluator)
        : space_(space), evaluator_(evaluator) {}

    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;

    /// Points rejected because of their cuts.
    std::int64_t cut_away() const { return cut_away_; }

  private:
    double value(const Evaluation& evaluation);
    std::vector<StreamModel> models(std::span<const Point> points) const;

    const StreamSpace& space_;
    WedgeEvaluator& evaluator_;
    std::int64_t cut_away_ = 0;
};

}  // namespace tessera::likelihood
