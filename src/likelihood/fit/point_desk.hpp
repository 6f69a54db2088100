// Which rank evaluates which point of an asynchronous search, and whether its answer is believed.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "core/tile_fault.hpp"
#include "likelihood/fit/steady_search.hpp"

namespace tessera::likelihood {

/// A rank as the desk knows it.
struct PointGuest {
    std::string place;       ///< "rank 1 on n12"
    int kind = 0;            ///< ranks of one kind find the same bits
    std::int64_t wrong = 0;  ///< of its answers, by the majority
    bool left = false;       ///< gets no more points
};

/// That a rank has no other one to verify its answers.
std::string alone_warning(const PointGuest& guest);

/// Whether the evaluations of a point agreed; `none`: there was one.
enum class Verification : std::int32_t { none, agreed, differed };

/// What became of a point, as the journal keeps it.
struct SettledPoint {
    std::int64_t asked = 0;   ///< proposals that had been made by then
    std::int64_t number = 0;  ///< of the proposal
    double value = 0;
    Verification verification = Verification::none;
    std::int32_t wrong_rank = -1;  ///< -1: none, or no two answers agreed
};

struct DeskOptions {
    double verify = 0;  ///< share of the points that are evaluated twice
    std::uint64_t seed = 1;
    std::function<void(const SettledPoint&)> settled;  ///< before the search has the value
    std::function<void(const std::string&)> warn;
};

/// Rank 0 has the desk. It knows nothing of messages. A point that is verified reaches the search
/// once two ranks of one kind agree about its bits. They are two runs of one rank if there is no
/// other of its kind.
class PointDesk {
  public:
    /// All arguments must outlive the desk.
    PointDesk(SteadySearch& search, std::vector<PointGuest> guests, DeskOptions options);

    /// Does again what an earlier run has done. Call it for each of its points, in their order, and
    /// before anything else.
    void repeat(const SettledPoint& point);

    /// Points for a rank, at most `most`; none if it has to wait or if nothing is left.
    std::vector<Proposal> next(int rank, std::size_t most);
    void take(int rank, std::int64_t number, double value);
    /// The rank has not evaluated this point. `tried`: because that failed. Throws Error if no rank
    /// is left that can do it.
    void give_back(int rank, std::int64_t number, bool tried, TileFault fault,
                   const std::string& detail);
    /// The rank gets no more points. Throws Error if a point has no other rank.
    void leave(int rank);
    /// Whether the search is over and all points are back.
    bool done() const { return search_.over() && pending_.empty(); }

    const SteadySearch& search() const { return search_; }
    const std::vector<PointGuest>& guests() const { return guests_; }
    std::int64_t verified() const { return verified_; }  ///< points that were evaluated twice
    std::int64_t mismatched() const { return mismatched_; }

  private:
    struct Answer {
        int rank = 0;
        double value = 0;
    };
    struct Pending {
        Proposal proposal;
        std::vector<Answer> answers;
        std::vector<int> failed_on;
        int devices_lost = 0;
    };

    bool is_verified(std::int64_t number) const;
    /// The ranks that may evaluate this point next. Empty if there is none.
    std::vector<int> suited(const Pending& pending) const;
    void judge(Pending& pending);
    /// No rank is left for what was still to be done.
    void settle_early(const Pending& pending);
    void settle(const Pending& pending, double value, Verification verification,
                int wrong_rank = -1);
    void note(const SettledPoint& point);

    SteadySearch& search_;
    std::vector<PointGuest> guests_;
    DeskOptions options_;
    std::map<std::int64_t, Pending> pending_;
    std::list<std::int64_t> waiting_;  ///< pending points that no rank has at the moment
    std::int64_t verified_ = 0, mismatched_ = 0;
};

}  // namespace tessera::likelihood
