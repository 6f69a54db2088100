// Sends pieces between GPUs by NCCL. Only in builds with TESSERA_ENABLE_NCCL.
#pragma once

#ifdef TESSERA_ENABLE_NCCL

#include <nccl.h>

#include <chrono>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "mpi/collectives/exchange.hpp"

namespace tessera::mpi {

/// An NCCL communicator over ranks that each have a GPU of their own. No call waits for ever: a
/// call that exceeds the limit or fails in NCCL aborts the communicator and throws Error. The
/// object cannot be used afterwards.
class NcclExchange final : public Exchange {
  public:
    /// Collective. It succeeds on all ranks or throws SharedError on all ranks.
    NcclExchange(const Communicator& ranks, DeviceOperations& device, std::chrono::seconds limit);
    ~NcclExchange() override;

    void start(std::span<const Transfer> sends, std::span<const Transfer> receives) override;
    void arrive() override;
    void release() override;
    void finish() override;
    void broadcast(void* data, std::size_t bytes, int root) override;

    /// Runs another NCCL call, for comparisons. `call` queues its work on the given stream; run()
    /// returns when it is done.
    void run(const char* name, const std::function<ncclResult_t(ncclComm_t, cudaStream_t)>& call);

  private:
    using Clock = std::chrono::steady_clock;
    void connect(const Communicator& ranks, const ncclUniqueId& id);
    void probe(const Communicator& ranks);
    void check_nccl(ncclResult_t code, const char* call,
                    const std::source_location& where = std::source_location::current());
    void check_cuda(cudaError_t code, const char* call,
                    const std::source_location& where = std::source_location::current());
    void settle(const char* call);
    void wait_for_stream();
    [[noreturn]] void fail(const std::string& call, const std::string& why);
    void abort() noexcept;
    void close() noexcept;

    DeviceOperations& device_;
    std::chrono::seconds limit_;
    ncclComm_t communicator_ = nullptr;
    cudaStream_t transfers_ = nullptr;
    cudaEvent_t released_ = nullptr;
    std::vector<cudaEvent_t> arrivals_;  ///< one for each round that may be in progress
    std::size_t started_ = 0, arrived_ = 0;
};

/// The version of the NCCL library in use, such as "2.28.3".
std::string nccl_version();

}  // namespace tessera::mpi

#endif
