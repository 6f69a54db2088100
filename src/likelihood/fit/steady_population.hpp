// One population of a search without generations.
#pragma once

#include <cstdint>
#include <vector>

#include "likelihood/fit/population_search.hpp"

namespace tessera::likelihood {

/// Its points may come back in any order, or never.
class SteadyPopulation {
  public:
    SteadyPopulation(const Space& space, const PopulationOptions& options);
    virtual ~SteadyPopulation() = default;

    /// The next member in turn.
    std::size_t next_member() const { return asked_ % members_.size(); }
    /// A new point for next_member(): its first one, or one made from the members of now.
    Point propose();
    /// The point replaces the member unless that is better.
    void accept(std::size_t member, const Point& at, double value);
    /// The criteria of the search in generations: as many points as these would have, or best and
    /// median differ by less than the tolerance. The latter is looked at once a generation.
    bool over() const { return settled_ || taken_ >= most_; }
    /// So many points make a generation.
    std::int64_t size() const { return static_cast<std::int64_t>(members_.size()); }
    std::int64_t taken() const { return taken_; }
    const std::vector<Candidate>& members() const { return members_; }
    const Candidate& best() const { return members_[by_likelihood(members_).front()]; }

  protected:
    /// A new point for `member`, which has had one before.
    virtual Point moved(std::size_t member, RandomStream& random) = 0;
    /// Called after each answer.
    virtual void noted(const Point&, double) {}
    const Space& space_;
    std::vector<Candidate> members_;  ///< one without a value has its first point
    bool late() const { return taken_ > most_ / 2; }

  private:
    PopulationOptions options_;
    std::int64_t most_ = 0, taken_ = 0;
    std::uint64_t asked_ = 0;
    bool settled_ = false;
};

}  // namespace tessera::likelihood
