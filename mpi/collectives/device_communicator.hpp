// Collectives on arrays in the memory of the ranks' devices. They use NCCL if every rank has a GPU
// of its own, and MPI otherwise. They move bytes; sums follow core/merge_tree.hpp, so that results
// have the same bits with both and for any number of ranks.
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
    std::chrono::seconds limit{120};  ///< an NCCL operation that takes longer is aborted
    ReductionOptions reduction;
};

/// All ranks must be of one kind: their arrays lie either on GPUs or on hosts. A run with both
/// kinds makes one object for each (Communicator::split). Every member is collective unless marked
/// local. Members take arrays in the devices' memory and return when their result is there. After
/// an error of a transfer the arrays are undefined and the object cannot be used again: leave, and
/// start the command again.
class DeviceCommunicator {
  public:
    /// `device` must outlive the object. If NCCL cannot be used for any reason, MPI is used.
    DeviceCommunicator(const Communicator& ranks, DeviceOperations& device,
                       const DeviceCommunicatorOptions& options = {});
    ~DeviceCommunicator();

    Transport transport() const { return transport_; }  ///< local
    /// "NCCL 2.28.3", or "MPI through host memory (two ranks share a GPU)". Local.
    const std::string& description() const { return description_; }

    void broadcast(void* data, std::size_t bytes, int root = 0);

    /// These behave as in OrderedReduction.
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

/// Whether the MPI library reports at run time that it accepts pointers to GPU memory.
bool mpi_takes_gpu_memory();

}  // namespace tessera::mpi
