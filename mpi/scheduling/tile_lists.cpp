#include "mpi/scheduling/tile_lists.hpp"

#include <algorithm>

namespace tessera::mpi {

namespace {

// Counters at rank 0: five for the run; one for each block of lists, with the lists of the block
// that have tiles left; three for each list; one for each rank.
constexpr int next_group = 0, taken_in_all = 1, stop_wish = 2, lists_settled = 3, ranks_gone = 4;
constexpr int of_run = 5, of_list = 3;
constexpr int block_lists = 256;
constexpr int enough_blocks = 4;  ///< with a list to join

std::size_t index(int counter) { return static_cast<std::size_t>(counter); }

std::vector<int> beginnings(const std::vector<int>& lengths) {
    std::vector<int> begin{0};
    for (const int length : lengths) begin.push_back(begin.back() + length);
    return begin;
}

}  // namespace

/// The best list to join among those that were looked at.
struct TileLists::Choice {
    std::optional<int> list;
    double most = 0;         ///< its remaining tiles for each worker
    bool unclaimed = false;  ///< whether a list with tiles has no owner yet
};

TileLists::TileLists(const Communicator& communicator, std::vector<std::int64_t> lengths,
                     const std::vector<int>& groups)
    : lengths_(std::move(lengths)),
      group_begin_(beginnings(groups)),
      owner_(lengths_.size(), -1),
      rank_(communicator.rank()),
      world_(communicator.duplicate()),
      counters_(world_,
                rank_ == 0 ? first_counters(communicator.size()) : std::vector<std::int64_t>()) {}

std::vector<std::int64_t> TileLists::first_counters(int ranks) const {
    std::vector<std::int64_t> counters(index(gone_counter(ranks)), 0);
    for (std::size_t list = 0; list < lengths_.size(); ++list)
        if (lengths_[list] > 0) ++counters[of_run + list / block_lists];
    return counters;
}

int TileLists::blocks() const {
    return (static_cast<int>(lengths_.size()) + block_lists - 1) / block_lists;
}

int TileLists::next_of(int list) const { return of_run + blocks() + of_list * list; }

int TileLists::gone_counter(int rank) const {
    return next_of(static_cast<int>(lengths_.size())) + rank;
}

std::optional<int> TileLists::claim() {
    if (next_in_group_ == end_of_group_) {
        if (is_gone_) return std::nullopt;
        const auto before = counters_.add_to_all({1, 0, 0});
        const std::int64_t group = before[next_group];
        if (before[stop_wish] != 0 || group >= std::ssize(group_begin_) - 1) return std::nullopt;
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
        const auto heads = counters_.read_first(index(of_run + blocks()));
        if (heads[stop_wish] != 0) return std::nullopt;
        bool unclaimed = false;
        if (const auto list = best_to_join(heads, unclaimed)) {
            enter(*list);
            return list;
        }
        // If all groups are claimed, a list without an owner gets one within microseconds.
        if (!unclaimed) return std::nullopt;
        counters_.wait_for_others();
    }
}

/// `heads`: the counters of the run and of the blocks.
std::optional<int> TileLists::best_to_join(const std::vector<std::int64_t>& heads,
                                           bool& unclaimed) {
    std::vector<int> open;
    for (int block = 0; block < blocks(); ++block)
        if (heads[index(of_run + block)] > 0) open.push_back(block);
    Choice choice;
    int with_lists = 0;
    for (std::size_t step = 0; step < open.size() && with_lists < enough_blocks; ++step) {
        look_at_block(open[(step + static_cast<std::size_t>(rank_)) % open.size()], choice);
        if (choice.list) ++with_lists;
    }
    unclaimed = choice.unclaimed;
    return choice.list;
}

void TileLists::look_at_block(int block, Choice& choice) {
    const int begin = block * block_lists;
    const int lists = std::min(block_lists, static_cast<int>(lengths_.size()) - begin);
    const auto counters = counters_.read_range(index(next_of(begin)), index(of_list * lists));
    for (int step = 0; step < lists; ++step) {
        const int place = (step + rank_) % lists;  // spreads equal lists over the ranks
        const auto list = index(begin + place);
        const std::int64_t* const of = &counters[index(of_list * place)];
        const std::int64_t left = lengths_[list] - of[0], owner = of[1], workers = of[2];
        if (left <= 0) continue;
        if (owner == 0) {
            choice.unclaimed = true;
            continue;
        }
        owner_[list] = static_cast<int>(owner) - 1;
        const double share = static_cast<double>(left) / static_cast<double>(workers + 1);
        if (share > choice.most) {
            choice.most = share;
            choice.list = begin + place;
        }
    }
}

void TileLists::enter(int list) { counters_.fetch_add(workers_on(list), 1); }

void TileLists::leave(int list) { counters_.fetch_add(workers_on(list), -1); }

std::optional<ListRange> TileLists::take(int list, std::int64_t most) {
    const std::int64_t length = lengths_[static_cast<std::size_t>(list)];
    const std::int64_t begin = counters_.fetch_add(next_of(list), most);
    if (begin >= length) return std::nullopt;
    const std::int64_t end = std::min(begin + most, length);
    if (begin + most >= length) count_exhausted(list);
    if (counters_.add_to_all({0, end - begin, 0})[stop_wish] == 0) return ListRange{begin, end};
    counters_.fetch_add(taken_in_all, begin - end);
    return std::nullopt;
}

void TileLists::close(int list) {
    const std::int64_t length = lengths_[static_cast<std::size_t>(list)];
    if (counters_.replace(next_of(list), length) < length) count_exhausted(list);
}

/// Called once for a list, by whoever takes or closes its last positions.
void TileLists::count_exhausted(int list) { counters_.fetch_add(of_run + list / block_lists, -1); }

void TileLists::stop() { counters_.replace(stop_wish, 1); }

int TileLists::leave_for_good() {
    is_gone_ = true;
    counters_.replace(gone_counter(rank_), 1);
    return static_cast<int>(counters_.fetch_add(ranks_gone, 1)) + 1;
}

bool TileLists::is_gone(int rank) { return counters_.read(gone_counter(rank)) != 0; }

bool TileLists::all_gone() { return counters_.read(ranks_gone) == world_.size(); }

void TileLists::settle() { counters_.fetch_add(lists_settled, 1); }

TileLists::State TileLists::state() {
    const auto run = counters_.read_first(of_run);
    return {run[stop_wish] != 0, run[lists_settled] == std::ssize(lengths_)};
}

std::int64_t TileLists::tiles_taken() { return counters_.read(taken_in_all); }

}  // namespace tessera::mpi
