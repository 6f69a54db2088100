#include "mpi/scheduling/tile_lists.hpp"

#include <algorithm>

namespace tessera::mpi {

namespace {

// Counters at rank 0: five for the run, then three for each list, then one for each rank.
constexpr int next_group = 0, taken_in_all = 1, stop_wish = 2, lists_settled = 3, ranks_gone = 4;
constexpr int of_run = 5, of_list = 3;

int next_of(int list) { return of_run + of_list * list; }
int owner_of(int list) { return next_of(list) + 1; }    // rank + 1; 0: no owner yet
int workers_on(int list) { return next_of(list) + 2; }  // number of ranks that joined

std::vector<int> beginnings(const std::vector<int>& lengths) {
    std::vector<int> begin{0};
    for (const int length : lengths) begin.push_back(begin.back() + length);
    return begin;
}

}  // namespace

TileLists::TileLists(const Communicator& communicator, std::vector<std::int64_t> lengths,
                     std::vector<int> groups)
    : lengths_(std::move(lengths)),
      group_begin_(beginnings(groups)),
      owner_(lengths_.size(), -1),
      rank_(communicator.rank()),
      world_(communicator.duplicate()),
      counters_(world_, std::vector<std::int64_t>(of_run + of_list * lengths_.size() +
                                                      static_cast<std::size_t>(world_.size()),
                                                  0)) {}

std::optional<int> TileLists::claim() {
    if (next_in_group_ == end_of_group_) {
        if (is_gone_) return std::nullopt;
        const auto groups = static_cast<std::int64_t>(group_begin_.size()) - 1;
        const std::int64_t group = counters_.fetch_add(next_group, 1);
        if (group >= groups) return std::nullopt;
        next_in_group_ = group_begin_[static_cast<std::size_t>(group)];
        end_of_group_ = group_begin_[static_cast<std::size_t>(group) + 1];
        for (int list = next_in_group_; list < end_of_group_; ++list) {
            owner_[static_cast<std::size_t>(list)] = rank_;
            counters_.replace(owner_of(list), rank_ + 1);
        }
    }
    return next_in_group_++;
}

std::optional<int> TileLists::join() {
    while (true) {
        bool unclaimed = false;
        const auto list =
            best_to_join(counters_.read_first(of_run + of_list * lengths_.size()), unclaimed);
        if (list) {
            enter(*list);
            return list;
        }
        // If all groups are claimed, a list without an owner gets one within microseconds.
        if (!unclaimed) return std::nullopt;
        counters_.wait_for_others();
    }
}

std::optional<int> TileLists::best_to_join(const std::vector<std::int64_t>& counters,
                                           bool& unclaimed) {
    if (counters[stop_wish] != 0) return std::nullopt;
    std::optional<int> best;
    double most = 0;
    const auto lists = static_cast<int>(lengths_.size());
    for (int step = 0; step < lists; ++step) {
        const int list = (step + rank_) % lists;  // spreads equal lists over the ranks
        const auto i = static_cast<std::size_t>(list);
        const std::int64_t left = lengths_[i] - counters[static_cast<std::size_t>(next_of(list))];
        if (left <= 0) continue;
        const std::int64_t owner = counters[static_cast<std::size_t>(owner_of(list))];
        if (owner == 0) {
            unclaimed = true;
            continue;
        }
        owner_[i] = static_cast<int>(owner) - 1;
        const auto workers = counters[static_cast<std::size_t>(workers_on(list))];
        const double share = static_cast<double>(left) / static_cast<double>(workers + 1);
        if (share > most) {
            most = share;
            best = list;
        }
    }
    return best;
}

void TileLists::enter(int list) { counters_.fetch_add(workers_on(list), 1); }

void TileLists::leave(int list) { counters_.fetch_add(workers_on(list), -1); }

std::optional<ListRange> TileLists::take(int list, std::int64_t most) {
    const std::int64_t length = lengths_[static_cast<std::size_t>(list)];
    const std::int64_t begin = counters_.fetch_add(next_of(list), most);
    if (begin >= length) return std::nullopt;
    const std::int64_t end = std::min(begin + most, length);
    counters_.fetch_add(taken_in_all, end - begin);
    return ListRange{begin, end};
}

void TileLists::close(int list) {
    counters_.replace(next_of(list), lengths_[static_cast<std::size_t>(list)]);
}

void TileLists::stop() {
    counters_.replace(stop_wish, 1);
    counters_.replace(next_group, static_cast<std::int64_t>(group_begin_.size()) - 1);
    for (std::size_t list = 0; list < lengths_.size(); ++list) close(static_cast<int>(list));
}

bool TileLists::stopped() { return counters_.read(stop_wish) != 0; }

int TileLists::leave_for_good() {
    is_gone_ = true;
    counters_.replace(gone_counter(rank_), 1);
    return static_cast<int>(counters_.fetch_add(ranks_gone, 1)) + 1;
}

bool TileLists::is_gone(int rank) { return counters_.read(gone_counter(rank)) != 0; }

bool TileLists::all_gone() { return counters_.read(ranks_gone) == world_.size(); }

int TileLists::gone_counter(int rank) const {
    return next_of(static_cast<int>(lengths_.size())) + rank;
}

void TileLists::settle() { counters_.fetch_add(lists_settled, 1); }

bool TileLists::all_settled() {
    return counters_.read(lists_settled) == static_cast<std::int64_t>(lengths_.size());
}

std::int64_t TileLists::tiles_taken() { return counters_.read(taken_in_all); }

}  // namespace tessera::mpi
