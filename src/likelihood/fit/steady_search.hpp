// Populations that move point by point. A point is made from the members as they are when someone
// asks for it, so that nobody waits for a generation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "likelihood/fit/maximise.hpp"

namespace tessera::likelihood {

/// One population. Points may come back in any order, or never.
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
    const Space& space_;
    std::vector<Candidate> members_;  ///< one without a value has its first point
    bool late() const { return taken_ > most_ / 2; }

  private:
    PopulationOptions options_;
    std::int64_t most_ = 0, taken_ = 0;
    std::uint64_t asked_ = 0;
    bool settled_ = false;
};

/// A point to evaluate.
struct Proposal {
    std::int64_t number = 0;  ///< among all proposals
    std::size_t population = 0, member = 0;
    Point at;
};

/// All populations of a fit. What it does depends on the plan and on the order of the calls alone.
class SteadySearch {
  public:
    /// `plan.method` is a method with populations.
    SteadySearch(const Space& space, const MaximisePlan& plan);

    /// Nothing once all populations are over.
    std::optional<Proposal> propose();
    void accept(const Proposal& proposal, double value);
    bool over() const;

    std::int64_t asked() const { return asked_; }  ///< proposals so far
    std::int64_t taken() const { return taken_; }  ///< answers so far
    /// Points that the largest number of generations has.
    std::int64_t most() const { return most_; }
    /// Members of all populations.
    std::int64_t size() const;
    const Candidate& best() const { return best_; }
    const Candidate& start() const { return start_; }  ///< the best of the first size() answers
    const std::vector<HistoryRow>& history() const { return history_; }  ///< a row a generation
    const std::vector<std::unique_ptr<SteadyPopulation>>& populations() const {
        return populations_;
    }

  private:
    std::vector<std::unique_ptr<SteadyPopulation>> populations_;
    std::size_t turn_ = 0;  ///< the population that is asked next
    std::int64_t asked_ = 0, taken_ = 0, most_ = 0;
    Candidate best_, start_;
    std::vector<HistoryRow> history_;
};

/// Has the points of a search evaluated, each by whoever is free.
class SteadyEvaluator {
  public:
    virtual ~SteadyEvaluator() = default;
    /// Returns when the search is over and all its points are back. `watch` is called now and then.
    virtual void carry_out(SteadySearch& search, const std::function<void()>& watch) = 0;
};

}  // namespace tessera::likelihood
