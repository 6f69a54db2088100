// Sums over ranks of arrays of compensated pairs, with the same bits for any number of ranks.
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

/// A contribution with its key (a node of level 0), or the sum of some that the tree joins.
struct KeyedSums {
    MergeNode node;
    SumPair* values = nullptr;  ///< one array, where the device has its arrays
};

/// Elements [begin, end) of an array.
struct ElementRange {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
};

/// Rank `rank`'s share of an array of `count` elements; the first ranks take what does not divide.
constexpr ElementRange share_of(std::size_t count, int rank, int ranks) {
    const std::size_t all = static_cast<std::size_t>(ranks), r = static_cast<std::size_t>(rank);
    const std::size_t even = count / all, more = count % all;
    const std::size_t begin = r * even + (r < more ? r : more);
    return {begin, begin + even + (r < more ? 1 : 0)};
}

struct ReductionOptions {
    std::size_t piece_elements = std::size_t{1} << 20;  ///< of a transfer, at most; 16 MiB
    std::size_t room_bytes = std::size_t{512} << 20;    ///< for pieces of other ranks, at most
};

/// Every rank brings some of the contributions with keys 0 … keys - 1, each key once over all ranks.
/// An element of the result is their sum along the tree of core/merge_tree.hpp: a function of the
/// contributions alone. A rank first joins what it holds; then every rank adds up its share of the
/// elements, for which the others send their pieces, piece after piece, while the ones before are
/// being added; for the whole result the shares are sent round in the same way.
/// All calls are collective; the contributions' arrays are used up. Same options on all ranks.
class OrderedReduction {
  public:
    /// All three outlive the object.
    OrderedReduction(const Communicator& ranks, Exchange& exchange, DeviceOperations& device,
                     const ReductionOptions& options = {});
    ~OrderedReduction();
    OrderedReduction(const OrderedReduction&) = delete;
    OrderedReduction& operator=(const OrderedReduction&) = delete;

    /// `share`: room for this rank's share_of(count, rank, ranks), which is returned.
    ElementRange reduce_scatter(std::span<const KeyedSums> contributions, std::int64_t keys,
                                std::size_t count, SumPair* share);
    /// `result`: room for `count` elements, apart from the contributions.
    void all_reduce(std::span<const KeyedSums> contributions, std::int64_t keys, std::size_t count,
                    SumPair* result);

  private:
    struct Plan;
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
    SumPair* room_ = nullptr;  ///< pieces of other ranks, two rounds of them
    std::size_t room_bytes_ = 0;
};

/// On host memory by MPI messages: for CPU ranks, or for results that lie on hosts.
void ordered_all_reduce(const Communicator& ranks, std::span<const KeyedSums> contributions,
                        std::int64_t keys, std::size_t count, SumPair* result,
                        const ReductionOptions& options = {});
ElementRange ordered_reduce_scatter(const Communicator& ranks,
                                    std::span<const KeyedSums> contributions, std::int64_t keys,
                                    std::size_t count, SumPair* share,
                                    const ReductionOptions& options = {});

}  // namespace tessera::mpi
