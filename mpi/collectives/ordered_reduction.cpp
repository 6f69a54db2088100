#include "mpi/collectives/ordered_reduction.hpp"

#include <algorithm>

namespace tessera::mpi {

namespace {

/// The values that all ranks must agree on, and the number of nodes that a rank contributes.
struct Announcement {
    std::int64_t keys = 0;
    std::uint64_t count = 0;
    std::uint64_t piece = 0, room = 0;
    std::uint64_t nodes = 0;
    bool fits(const Announcement& other) const {
        return keys == other.keys && count == other.count && piece == other.piece &&
               room == other.room;
    }
};

constexpr std::size_t longest_piece = std::size_t{1} << 26;  // elements: 1 GiB

}  // namespace

/// The slots are the nodes of all ranks in rank order, after each rank has merged its own.
struct OrderedReduction::Plan {
    std::size_t count = 0;
    std::size_t piece = 0;   ///< elements per transfer
    std::size_t pieces = 0;  ///< number of pieces of the longest share
    int rank = 0, ranks = 1;
    std::vector<int> owner;         ///< the rank of each slot
    std::vector<SumPair*> array;    ///< the array of each own slot
    std::vector<std::size_t> room;  ///< the index of each slot of other ranks among such slots
    std::size_t others = 0;
    MergePlan merges;

    ElementRange share(int of_rank) const { return share_of(count, of_rank, ranks); }
    /// The elements of piece `index` of a rank's share.
    ElementRange elements(int of_rank, std::size_t index) const {
        const ElementRange all = share(of_rank);
        const std::size_t begin = std::min(all.begin + index * piece, all.end);
        return {begin, std::min(begin + piece, all.end)};
    }
};

OrderedReduction::OrderedReduction(const Communicator& ranks, Exchange& exchange,
                                   DeviceOperations& device, const ReductionOptions& options)
    : ranks_(ranks), exchange_(exchange), device_(device), options_(options) {
    options_.piece_elements = std::clamp<std::size_t>(options_.piece_elements, 1, longest_piece);
}

OrderedReduction::~OrderedReduction() {
    if (room_) device_.release(room_);
}

/// Merges this rank's contributions as far as the tree allows and returns the remaining nodes.
std::vector<KeyedSums> OrderedReduction::merge_own(std::span<const KeyedSums> contributions,
                                                   std::int64_t keys, std::size_t count) {
    std::vector<KeyedSums> merged;
    ranks_.together([&] {
        std::vector<MergeNode> nodes;
        for (const KeyedSums& contribution : contributions) nodes.push_back(contribution.node);
        const MergePlan plan = plan_merges(nodes, keys);
        std::vector<ArrayMerge> steps;
        for (const MergeStep& step : plan.steps)
            steps.push_back({contributions[static_cast<std::size_t>(step.into)].values,
                             contributions[static_cast<std::size_t>(step.from)].values});
        device_.synchronize();  // the contributions must be complete
        device_.merge(steps, count);
        for (const MergeSlot& slot : plan.left)
            merged.push_back(
                {slot.node, contributions[static_cast<std::size_t>(slot.slot)].values});
    });
    return merged;
}

/// Merges this rank's contributions and exchanges the lists of nodes with the other ranks.
OrderedReduction::Plan OrderedReduction::agree(std::span<const KeyedSums> contributions,
                                               std::int64_t keys, std::size_t count) {
    const std::vector<KeyedSums> own = merge_own(contributions, keys, count);
    const Announcement mine{keys, count, options_.piece_elements, options_.room_bytes, own.size()};
    const std::vector<Announcement> all = ranks_.allgather(mine);
    for (const Announcement& other : all)
        if (!other.fits(all[0]))
            throw SharedError(FinishedLine{"ranks disagree about a sum over ranks (keys, elements "
                                           "or options differ): please report this"},
                              ExitCode::internal);
    std::vector<MergeNode> nodes;
    for (const KeyedSums& sums : own) nodes.push_back(sums.node);
    nodes = ranks_.gather(nodes);
    ranks_.broadcast(nodes);

    Plan plan;
    plan.count = count;
    plan.rank = ranks_.rank();
    plan.ranks = ranks_.size();
    for (int rank = 0; rank < plan.ranks; ++rank)
        for (std::uint64_t i = 0; i < all[static_cast<std::size_t>(rank)].nodes; ++i) {
            const bool is_own = rank == plan.rank;
            plan.owner.push_back(rank);
            plan.array.push_back(is_own ? own[i].values : nullptr);
            plan.room.push_back(is_own ? 0 : plan.others++);
        }
    ranks_.together([&] {
        plan.merges = plan_merges(nodes, keys);
        if (!is_whole(plan.merges, keys))
            throw detail::no_merge(plan.merges.left.empty() ? "no rank has any"
                                                            : "a key is missing");
        // The length must be the same on all ranks, whatever their own slots are.
        const std::size_t slots = plan.owner.size();
        plan.piece = std::clamp<std::size_t>(options_.room_bytes / (2 * sizeof(SumPair) * slots), 1,
                                             options_.piece_elements);
        const std::size_t longest = plan.share(0).size();
        plan.piece = std::min(plan.piece, std::max<std::size_t>(longest, 1));
        plan.pieces = (longest + plan.piece - 1) / plan.piece;
        reserve(2 * plan.others * plan.piece * sizeof(SumPair));
    });
    return plan;
}

void OrderedReduction::reserve(std::size_t bytes) {
    if (room_bytes_ >= bytes) return;
    if (room_) device_.release(room_);
    room_ = nullptr;
    room_bytes_ = 0;
    room_ = static_cast<SumPair*>(device_.allocate(bytes));
    room_bytes_ = bytes;
}

/// Lists the pieces slot by slot, so that both ranks of a pair use the same order.
void OrderedReduction::list_pieces(const Plan& plan, std::size_t piece,
                                   std::vector<Transfer>& sends,
                                   std::vector<Transfer>& receives) const {
    SumPair* const room = room_ + (piece % 2) * plan.others * plan.piece;
    const std::size_t mine = plan.elements(plan.rank, piece).size() * sizeof(SumPair);
    for (std::size_t slot = 0; slot < plan.owner.size(); ++slot) {
        if (plan.owner[slot] != plan.rank) {
            if (mine > 0)
                receives.push_back({plan.owner[slot], room + plan.room[slot] * plan.piece, mine});
            continue;
        }
        // Each rank begins with the next higher one, so that they do not all send to the same rank.
        for (int step = 1; step < plan.ranks; ++step) {
            const int peer = (plan.rank + step) % plan.ranks;
            const ElementRange range = plan.elements(peer, piece);
            if (range.size() > 0)
                sends.push_back(
                    {peer, plan.array[slot] + range.begin, range.size() * sizeof(SumPair)});
        }
    }
}

void OrderedReduction::list_results(const Plan& plan, std::size_t piece, SumPair* result,
                                    std::vector<Transfer>& sends,
                                    std::vector<Transfer>& receives) const {
    const ElementRange mine = plan.elements(plan.rank, piece);
    for (int step = 1; step < plan.ranks; ++step) {
        const int to = (plan.rank + step) % plan.ranks;
        const int from = (plan.rank + plan.ranks - step) % plan.ranks;
        const ElementRange theirs = plan.elements(from, piece);
        if (mine.size() > 0)
            sends.push_back({to, result + mine.begin, mine.size() * sizeof(SumPair)});
        if (theirs.size() > 0)
            receives.push_back({from, result + theirs.begin, theirs.size() * sizeof(SumPair)});
    }
}

void OrderedReduction::add_piece(const Plan& plan, std::size_t piece, SumPair* share) {
    const ElementRange range = plan.elements(plan.rank, piece);
    if (range.size() == 0) return;
    SumPair* const room = room_ + (piece % 2) * plan.others * plan.piece;
    const auto array = [&](std::int32_t slot) {
        const auto s = static_cast<std::size_t>(slot);
        return plan.owner[s] == plan.rank ? plan.array[s] + range.begin
                                          : room + plan.room[s] * plan.piece;
    };
    std::vector<ArrayMerge> steps;
    for (const MergeStep& step : plan.merges.steps)
        steps.push_back({array(step.into), array(step.from)});
    device_.merge(steps, range.size());
    device_.copy(share + (range.begin - plan.share(plan.rank).begin),
                 array(plan.merges.left[0].slot), range.size() * sizeof(SumPair));
}

/// Round r transfers piece r of the contributions and piece r - 2 of the result. The latter has
/// been added up during the transfers of round r - 1.
void OrderedReduction::reduce(const Plan& plan, SumPair* result, bool whole) {
    SumPair* const share = whole ? result + plan.share(plan.rank).begin : result;
    const std::size_t rounds = plan.pieces + (whole ? 2 : 1);
    exchange_.release();
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<Transfer> sends, receives;
        if (round < plan.pieces) list_pieces(plan, round, sends, receives);
        if (whole && round >= 2) list_results(plan, round - 2, result, sends, receives);
        exchange_.start(sends, receives);
        if (round == 0) continue;
        exchange_.arrive();
        if (round <= plan.pieces) add_piece(plan, round - 1, share);
        exchange_.release();
    }
    exchange_.finish();
}

ElementRange OrderedReduction::reduce_scatter(std::span<const KeyedSums> contributions,
                                              std::int64_t keys, std::size_t count,
                                              SumPair* share) {
    const Plan plan = agree(contributions, keys, count);
    reduce(plan, share, false);
    return plan.share(plan.rank);
}

void OrderedReduction::all_reduce(std::span<const KeyedSums> contributions, std::int64_t keys,
                                  std::size_t count, SumPair* result) {
    reduce(agree(contributions, keys, count), result, true);
}

}  // namespace tessera::mpi
