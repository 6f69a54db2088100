// The likelihood of all wedges of a fit as one objective.
#pragma once

#include <cstddef>
#include <vector>

#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// The mean over the stars of all wedges of log10 of their density. Times the number of stars it is
/// the sum of the log likelihoods of the wedges, so both have the same maximum. It has the bits of
/// LikelihoodResult::search_likelihood().
///
/// Each pair of a point and a wedge is a question of its own, so that ranks can share them: the
/// point, with 0 for coordinates of other wedges, and the number of the wedge after it. A batch
/// asks equal questions once. Points that differ in one stream then cost one wedge each. If there
/// is one wedge, the questions are the points.
class JointObjective : public Objective {
  public:
    /// `each` answers the questions, such as a StreamObjective. `stars`: their numbers by wedge.
    JointObjective(Objective& each, const StreamSpace& space, std::vector<std::size_t> stars)
        : each_(each), space_(space), stars_(std::move(stars)) {}

    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;

  private:
    struct Questions {
        std::vector<Point> asked;
        std::vector<std::size_t> places;  ///< [point][wedge] in `asked`
    };
    Questions questions(std::span<const Point> points) const;
    /// The mean of a quantity of the wedges over all stars, or `rejected` if one wedge rejects.
    template <class OfWedge>
    double mean(const OfWedge& of_wedge) const;

    Objective& each_;
    const StreamSpace& space_;
    std::vector<std::size_t> stars_;
};

}  // namespace tessera::likelihood
