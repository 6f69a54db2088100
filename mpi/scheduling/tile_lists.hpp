// Many lists of tiles, dealt out so that a rank works its way through whole lists as long as there
// are any, and then helps others with theirs: for runs whose lists are dear to take up.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/window.hpp"

namespace tessera::mpi {

/// A range [begin, end) of positions in one list.
struct ListRange {
    std::int64_t begin = 0, end = 0;
    std::int64_t size() const { return end - begin; }
};

/// Every position of every list is handed out exactly once over all ranks. Lists are claimed in order,
/// a group of neighbours at a time; who claims a list owns it, and any rank may take from it. Which
/// rank gets what depends on timing, results must not. The construction is collective; all other
/// members are local, answered by counters at rank 0 (which must enter MPI now and then).
class TileLists {
  public:
    /// The same lengths on all ranks; `groups` holds the lengths of runs of neighbouring lists and
    /// adds up to their number.
    TileLists(const Communicator& communicator, std::vector<std::int64_t> lengths,
              std::vector<int> groups);

    /// The next list for this rank to own; nullopt once all have owners, or this rank has left and owns
    /// all of the last group that it claimed.
    std::optional<int> claim();

    /// A list of any owner with tiles left, that with most of them for each rank at work on it; nullopt
    /// when all tiles have been handed out. Enters it.
    std::optional<int> join();
    /// Counts this rank among those at work on a list, until leave().
    void enter(int list);
    void leave(int list);

    /// At most `most` positions of a list; nullopt when it has no more.
    std::optional<ListRange> take(int list, std::int64_t most);

    /// The rank that claimed a list that claim() or join() has named; -1 for others.
    int owner(int list) const { return owner_[static_cast<std::size_t>(list)]; }
    /// Where the owner itself has told this rank of its list.
    void learn_owner(int list, int rank) { owner_[static_cast<std::size_t>(list)] = rank; }

    /// Nothing is handed out of this list any more.
    void close(int list);
    /// Nothing at all is handed out any more; every rank can see it.
    void stop();
    bool stopped();

    /// This rank claims no group any more; what it owns stays its own. Once. Returns how many ranks have
    /// left so far, this one included.
    int leave_for_good();
    bool is_gone(int rank);
    bool all_gone();

    /// Counts a list as dealt with for good, once each, by its owner.
    void settle();
    /// Whether all lists of all ranks are.
    bool all_settled();

    /// Tiles handed out of all lists so far.
    std::int64_t tiles_taken();

  private:
    std::optional<int> best_to_join(const std::vector<std::int64_t>& counters, bool& unclaimed);
    int gone_counter(int rank) const;

    std::vector<std::int64_t> lengths_;
    std::vector<int> group_begin_;  ///< first list of each group, and the number of lists
    std::vector<int> owner_;        ///< -1: not known here
    int next_in_group_ = 0, end_of_group_ = 0;
    int rank_ = 0;
    bool is_gone_ = false;
    Communicator world_;
    RemoteCounters counters_;
};

}  // namespace tessera::mpi
