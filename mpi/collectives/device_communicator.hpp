// Collectives on arrays that lie in the memory of the ranks' devices: by NCCL where every rank has a
// GPU of its own, else by MPI. They move bytes; sums follow core/merge_tree.hpp, so that results have
// the same bits either way and for any number of ranks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/device_operations.hpp"
#include "mpi/collectives/exchange.hpp"
#include "mpi/collectives/ordered_reduction.hpp"
#include "mpi/communicator.hpp"

namespace tessera::mpi {

enum class Transport { nccl, mpi, staged_mpi };

struct DeviceCommunicatorOptions {
    bool use_nccl = true;             ///< false, or TESSERA_NCCL=off in the environment: MPI
    std::chrono::seconds limit{120};  ///< for one NCCL operation; then it is aborted
    ReductionOptions reduction;
};

/// For ranks of one kind: either all have their arrays on GPUs or all on hosts. A run of both makes
/// one for each, from Communicator::split. Every member is collective unless marked local, takes
/// arrays in the devices' memory and returns when its result is there. An error of a transfer is
/// final: arrays are then undefined and the object of no use; leave, and start the command again.
class DeviceCommunicator {
  public:
    /// `device` outlives the object. Where NCCL cannot be used, for whatever reason, MPI is.
    DeviceCommunicator(const Communicator& ranks, DeviceOperations& device,
                       const DeviceCommunicatorOptions& options = {});
    ~DeviceCommunicator();

    Transport transport() const { return transport_; }  ///< local
    /// "NCCL 2.28.3", or "MPI through host memory (two ranks share a GPU)". Local.
    const std::string& description() const { return description_; }

    void broadcast(void* data, std::size_t bytes, int root = 0);
    /// What rank r brings has bytes[r] bytes; in `all` they lie one after another in rank order.
    void all_gather(const void* mine, std::span<const std::size_t> bytes, void* all);

    /// As in OrderedReduction.
    ElementRange reduce_scatter(std::span<const KeyedSums> contributions, std::int64_t keys,
                                std::size_t count, SumPair* share) {
        return reduction_->reduce_scatter(contributions, keys, count, share);
    }
    void all_reduce(std::span<const KeyedSums> contributions, std::int64_t keys, std::size_t count,
                    SumPair* result) {
        reduction_->all_reduce(contributions, keys, count, result);
    }

    const Communicator& ranks() const { return ranks_; }  ///< local

  private:
    std::string connect_nccl(const DeviceCommunicatorOptions& options);
    void use_mpi(const std::string& why);

    Communicator ranks_;
    DeviceOperations& device_;
    Transport transport_ = Transport::mpi;
    std::string description_;
    std::unique_ptr<Exchange> exchange_;
    std::unique_ptr<OrderedReduction> reduction_;
};

/// Whether the MPI library says, now, that it takes pointers to GPU memory.
bool mpi_takes_gpu_memory();

}  // namespace tessera::mpi
