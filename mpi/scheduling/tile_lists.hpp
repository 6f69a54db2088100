// Many lists of tiles. A rank works through whole lists as long as there are any, and then helps
// others with theirs. For runs in which starting a list is expensive.
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

/// Every position of every list is handed out exactly once over all ranks. Lists are claimed in
/// order, one group of neighbours at a time. The rank that claims a list owns it, and any rank may
/// take positions from it. Which rank gets a position depends on timing; results must not. The
/// construction is collective. All other members are local and use counters at rank 0, which must
/// enter MPI regularly. What a call costs does not depend on the number of lists, apart from
/// claim(), which names an owner for each list of a group, and join().
class TileLists {
  public:
    /// All ranks pass the same lengths. `groups` holds the number of neighbouring lists in each
    /// group and adds up to the number of lists.
    TileLists(const Communicator& communicator, std::vector<std::int64_t> lengths,
              const std::vector<int>& groups);

    /// The next list for this rank to own. Nullopt if all lists have owners, if the run is stopped,
    /// or if this rank has left and owns all lists of its last group.
    std::optional<int> claim();

    /// Enters and returns the list with the most remaining tiles for each rank that works on it.
    /// Nullopt if all tiles have been handed out. With more than 256 lists it looks at blocks of
    /// 256 neighbours that have tiles left, and chooses from the first four of them that have a
    /// list to join. Ranks begin with different blocks.
    std::optional<int> join();
    /// Counts this rank among the workers of a list until leave().
    void enter(int list);
    void leave(int list);

    /// Takes at most `most` positions of a list, or nullopt if none are left or the run is stopped.
    std::optional<ListRange> take(int list, std::int64_t most);

    /// The owner of a list that claim() or join() has returned, or -1 for other lists.
    int owner(int list) const { return owner_[static_cast<std::size_t>(list)]; }
    /// Call it when the owner itself has told this rank about its list.
    void learn_owner(int list, int rank) { owner_[static_cast<std::size_t>(list)] = rank; }

    /// No more positions of this list are handed out.
    void close(int list);
    /// No more groups and positions of any list are handed out. It sets one word, which claim(),
    /// join() and take() read.
    void stop();

    /// This rank claims no more groups and keeps the lists that it owns. Call it once. Returns how
    /// many ranks have left so far, including this one.
    int leave_for_good();
    bool is_gone(int rank);
    bool all_gone();

    /// Counts a list as settled. Its owner calls this once.
    void settle();

    struct State {
        bool stopped = false;
        bool all_settled = false;  ///< all lists of all ranks
    };
    /// How the run is doing, in one request.
    State state();

    /// The number of tiles handed out from all lists so far.
    std::int64_t tiles_taken();

    /// What this rank has asked of the counters so far.
    const RemoteCounters::Traffic& traffic() const { return counters_.traffic(); }

  private:
    struct Choice;

    std::optional<int> best_to_join(const std::vector<std::int64_t>& heads, bool& unclaimed);
    void look_at_block(int block, Choice& choice);
    void count_exhausted(int list);
    int blocks() const;
    int next_of(int list) const;
    int owner_of(int list) const { return next_of(list) + 1; }    // rank + 1; 0: no owner yet
    int workers_on(int list) const { return next_of(list) + 2; }  // number of ranks that joined
    int gone_counter(int rank) const;
    std::vector<std::int64_t> first_counters(int ranks) const;

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
