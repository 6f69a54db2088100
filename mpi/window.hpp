// Memory that other ranks reach: shared within a node, counted from afar at rank 0.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi/communicator.hpp"

namespace tessera::mpi {

/// An MPI window; freeing it is collective. While an exception is on its way out of this rank alone
/// the others may never come to the free, so the window is then left to the end of the process.
class Window {
  public:
    Window() = default;
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    MPI_Win* address() { return &handle_; }
    MPI_Win handle() const { return handle_; }
    /// Makes errors returned and opens the passive epoch that lasts until the end. `communicator`, whose
    /// ranks share the window, must outlive it.
    void open(const Communicator& communicator);

  private:
    MPI_Win handle_ = MPI_WIN_NULL;
    MPI_Comm communicator_ = MPI_COMM_NULL;
    int exceptions_before_ = 0;
};

/// Bytes that all ranks of one node see at data(), zeroed; they live in rank 0 of `node`, which must
/// outlive them.
class SharedMemory {
  public:
    SharedMemory(const Communicator& node, std::size_t bytes);
    void* data() const { return data_; }  ///< local; aligned to a cache line

  private:
    Window window_;
    void* data_ = nullptr;
};

/// Counters at rank 0 that any rank reads and changes without rank 0 taking part.
class RemoteCounters {
  public:
    /// Collective; the initial values of rank 0 count. `communicator` must outlive it.
    /// `as_between_machines`: MPI may not use that the ranks share memory; for tests.
    RemoteCounters(const Communicator& communicator, const std::vector<std::int64_t>& initial,
                   bool as_between_machines = false);

    // Local to the caller; each returns the value before the call.
    std::int64_t fetch_add(int counter, std::int64_t increment);
    std::int64_t read(int counter);
    /// Adds to the first counters, one increment each, and returns them all as they were before, in one
    /// round trip. Each is added to atomically, not all of them together.
    std::vector<std::int64_t> add_to_all(const std::vector<std::int64_t>& increments);
    std::int64_t replace(int counter, std::int64_t value);
    /// The first `count` at once; each is a value it had at some moment of the call.
    std::vector<std::int64_t> read_first(std::size_t count);

    /// Local; between two looks at what another rank is about to change. Rank 0 must not just look
    /// again: over osc/ucx its own operations lock the window, and without hardware for it others'
    /// attempts at that lock are answered only inside MPI. Inside those very operations they all fail.
    void wait_for_others();

  private:
    void finish();
    std::int64_t fetch_and(MPI_Op operation, int counter, std::int64_t operand);

    const Communicator& communicator_;
    std::vector<std::int64_t> memory_;  ///< only as_between_machines
    Window window_;
    std::int64_t* values_ = nullptr;
};

}  // namespace tessera::mpi
