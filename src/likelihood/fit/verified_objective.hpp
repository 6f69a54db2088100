// A share of the points of a search in generations, evaluated again on other ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "likelihood/fit/asynchronous_record.hpp"
#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/point_desk.hpp"

namespace tessera::likelihood {

/// An objective that knows its ranks (SharedObjective).
class RankedObjective : public Objective {
  public:
    /// values() on these ranks, one for each point.
    virtual std::vector<double> values_on(std::span<const Point> points,
                                          std::span<const int> ranks) = 0;
    /// The ranks that have answered the last values() or values_on(), one for each point.
    virtual const std::vector<int>& answered_by() const = 0;
    /// Whether a rank still gets points.
    virtual bool has_rank(int rank) const = 0;
};

/// On rank 0. A value counts once two evaluations agree about its bits, as in an asynchronous
/// search (PointDesk). Gradients are not verified.
class VerifiedObjective : public Objective {
  public:
    struct Options {
        double verify = 0;  ///< share of the points
        std::uint64_t seed = 1;
        std::vector<PointGuest> ranks;
        std::function<void(const std::string&)> warn;
    };

    /// `inner` must outlive the object.
    VerifiedObjective(RankedObjective& inner, Options options);

    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override {
        return inner_.slopes(points);
    }

    /// Counts and warnings of this attempt.
    const AsynchronousRecord& record() const { return record_; }

  private:
    /// A point that is verified: the ranks that have answered, and what they found.
    struct Checked {
        std::size_t place = 0;
        std::vector<int> ranks;
        std::vector<double> values;
        bool agreed() const;
    };

    std::vector<Checked> choose(const std::vector<double>& found);
    /// Has each point evaluated once more.
    void ask_again(std::span<const Point> points, std::vector<Checked*>& checked);
    int next_rank(const Checked& one, int turn) const;
    double judge(const Checked& one);

    RankedObjective& inner_;
    Options options_;
    std::uint64_t asked_ = 0;
    AsynchronousRecord record_;
};

}  // namespace tessera::likelihood
