// Sends pieces of arrays between ranks in rounds while the arrays' device adds up earlier pieces.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/device_operations.hpp"
#include "mpi/communicator.hpp"

namespace tessera::mpi {

/// A piece that is sent to, or received from, rank `peer`. Sent data is not changed.
struct Transfer {
    int peer = 0;
    void* data = nullptr;
    std::size_t bytes = 0;
};

/// Rounds of transfers. All ranks of a communicator call it alike: each send matches a receive of
/// the peer, in the same order for each pair of ranks. At most two rounds are in progress.
class Exchange {
  public:
    virtual ~Exchange() = default;

    /// Starts a round. It sends the results of the merges and copies that were requested before the
    /// last release(). It overwrites only memory that these were the last to read.
    virtual void start(std::span<const Transfer> sends, std::span<const Transfer> receives) = 0;
    /// Merges and copies that are requested from now on see what the oldest round in progress has
    /// received.
    virtual void arrive() = 0;
    virtual void release() = 0;
    /// Waits until everything has been sent, received and added.
    virtual void finish() = 0;

    /// Sends the same bytes to all ranks and returns when they have arrived.
    virtual void broadcast(void* data, std::size_t bytes, int root) = 0;
};

/// MPI point-to-point messages. `staged` means that MPI cannot read the arrays' memory, so pieces
/// go through host memory. Otherwise MPI accesses the arrays directly (host memory, or a CUDA-aware
/// MPI).
class MpiExchange final : public Exchange {
  public:
    /// `device` must outlive the object. A private duplicate of `ranks` carries the messages
    /// (collective).
    MpiExchange(const Communicator& ranks, DeviceOperations& device, bool staged);
    ~MpiExchange() override;

    void start(std::span<const Transfer> sends, std::span<const Transfer> receives) override;
    void arrive() override;
    void release() override { device_.synchronize(); }
    void finish() override;
    void broadcast(void* data, std::size_t bytes, int root) override;

  private:
    struct Round;
    void post(Round& round, const Transfer& transfer, bool sends);
    std::byte* bounce(std::size_t half, std::size_t bytes);

    Communicator ranks_;
    DeviceOperations& device_;
    bool staged_;
    std::vector<Round> rounds_;  ///< oldest first
    std::size_t started_ = 0;
    std::byte* bounce_[2] = {nullptr, nullptr};  ///< host memory of two alternating rounds
    std::size_t bounce_bytes_[2] = {0, 0};
};

}  // namespace tessera::mpi
