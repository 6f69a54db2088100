// Populations that move point by point. A point is made from the members as they are when someone
// asks for it, so that nobody waits for a generation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/steady_population.hpp"

namespace tessera::likelihood {

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
