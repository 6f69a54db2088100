// Sums arrays of compensated pairs over ranks, with the same bits for any number of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/device_operations.hpp"
#include "core/merge_tree.hpp"
#include "mpi/collectives/exchange.hpp"
#include "mpi/communicator.hpp"

namespace tessera::mpi {

/// A contribution with its key (a node of level 0), or the sum of several contributions that form a
/// node of the tree.
struct KeyedSums {
    MergeNode node;
    SumPair* values = nullptr;  ///< one array, in the memory of the device
};

/// Elements [begin, end) of an array.
struct ElementRange {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
};

/// Rank `rank`'s share of an array of `count` elements. The first ranks take one element more if
/// `count` is not divisible.
constexpr ElementRange share_of(std::size_t count, int rank, int ranks) {
    const std::size_t all = static_cast<std::size_t>(ranks), r = static_cast<std::size_t>(rank);
    const std::size_t even = count / all, more = count % all;
    const std::size_t begin = r * even + (r < more ? r : more);
    return {begin, begin + even + (r < more ? 1 : 0)};
}

struct ReductionOptions {
    std::size_t piece_elements = std::size_t{1} << 20;  ///< at most in one transfer; 16 MiB
    std::size_t room_bytes = std::size_t{512} << 20;    ///< at most for pieces of other ranks
};

/// Each rank contributes some of the keys 0 … keys - 1; each key occurs once over all ranks. An
/// element of the result is the sum of the contributions along the tree of core/merge_tree.hpp, so
/// it depends on the contributions alone. Each rank first merges the contributions that it holds.
/// Then each rank adds up its share of the elements. The other ranks send it their pieces one after
/// another, while earlier pieces are being added. For the whole result the shares are then sent to
/// all ranks in the same way. All calls are collective and overwrite the arrays of the
/// contributions. All ranks must use the same options.
class OrderedReduction {
  public:
    /// All three arguments must outlive the object.
    OrderedReduction(const Communicator& ranks, Exchange& exchange, DeviceOperations& device,
                     const ReductionOptions& options = {});
    ~OrderedReduction();
    OrderedReduction(const OrderedReduction&) = delete;
    OrderedReduction& operator=(const OrderedReduction&) = delete;

    /// `share` has room for this rank's share_of(count, rank, ranks), which is returned.
    ElementRange reduce_scatter(std::span<const KeyedSums> contributions, std::int64_t keys,
                                std::size_t count, SumPair* share);
    /// `result` has room for `count` elements and does not overlap the contributions.
    void all_reduce(std::span<const KeyedSums> contributions, std::int64_t keys, std::size_t count,
                    SumPair* result);

  private:
    struct Plan;
    std::vector<KeyedSums> merge_own(std::span<const KeyedSums> contributions, std::int64_t keys,
                                     std::size_t count);
    Plan agree(std::span<const KeyedSums> contributions, std::int64_t keys, std::size_t count);
    void reserve(std::size_t bytes);
    void reduce(const Plan& plan, SumPair* result, bool whole);
    void list_pieces(const Plan& plan, std::size_t piece, std::vector<Transfer>& sends,
                     std::vector<Transfer>& receives) const;
    void list_results(const Plan& plan, std::size_t piece, SumPair* result,
                      std::vector<Transfer>& sends, std::vector<Transfer>& receives) const;
    void add_piece(const Plan& plan, std::size_t piece, SumPair* share);

    const Communicator& ranks_;
    Exchange& exchange_;
    DeviceOperations& device_;
    ReductionOptions options_;
    SumPair* room_ = nullptr;  ///< pieces of other ranks for two rounds
    std::size_t room_bytes_ = 0;
};

}  // namespace tessera::mpi
