// How pieces of arrays go from rank to rank in rounds, while the arrays' device adds up earlier ones.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/device_operations.hpp"
#include "mpi/communicator.hpp"

namespace tessera::mpi {

/// A piece that goes to, or comes from, rank `peer`. Sent data is not changed.
struct Transfer {
    int peer = 0;
    void* data = nullptr;
    std::size_t bytes = 0;
};

/// Rounds of transfers, used alike by all ranks of one communicator: what one sends the other
/// receives, between a pair of ranks in the same order. At most two rounds are under way.
class Exchange {
  public:
    virtual ~Exchange() = default;

    /// Starts a round. It sends what the device's merges and copies before the last release() have
    /// made, and overwrites only what those were the last to read.
    virtual void start(std::span<const Transfer> sends, std::span<const Transfer> receives) = 0;
    /// Merges and copies asked for from now on see what the oldest round under way has brought.
    virtual void arrive() = 0;
    virtual void release() = 0;
    /// Until everything has been sent, received and added.
    virtual void finish() = 0;

    /// The same bytes on all ranks; returns when they are there.
    virtual void broadcast(void* data, std::size_t bytes, int root) = 0;
};

/// MPI point-to-point messages. `staged`: MPI cannot read the arrays' memory, so pieces go through
/// host memory; otherwise they are given to MPI as they are (host memory, or a CUDA-aware MPI).
class MpiExchange final : public Exchange {
  public:
    /// `device` outlives the object; a private duplicate of `ranks` carries the messages (collective).
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
    std::byte* bounce_[2] = {nullptr, nullptr};  ///< host memory of a round, turn by turn
    std::size_t bounce_bytes_[2] = {0, 0};
};

}  // namespace tessera::mpi
