// Memory that other ranks can access: memory shared within a node, and counters at rank 0.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi/communicator.hpp"

namespace tessera::mpi {

/// An MPI window. Freeing it is collective. If an exception leaves this rank alone, the other ranks
/// may never free the window. The window then stays until the process ends.
class Window {
  public:
    Window() = default;
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    MPI_Win* address() { return &handle_; }
    MPI_Win handle() const { return handle_; }
    /// Lets errors be returned and opens the passive epoch, which lasts until the end.
    /// `communicator` holds the ranks that share the window and must outlive it.
    void open(const Communicator& communicator);

  private:
    MPI_Win handle_ = MPI_WIN_NULL;
    MPI_Comm communicator_ = MPI_COMM_NULL;
    int exceptions_before_ = 0;
};

/// Zeroed bytes at data() that all ranks of a node share. They belong to rank 0 of `node`, which
/// must outlive them.
class SharedMemory {
  public:
    SharedMemory(const Communicator& node, std::size_t bytes);
    void* data() const { return data_; }  ///< local; aligned to a cache line

  private:
    Window window_;
    void* data_ = nullptr;
};

/// Counters at rank 0 that any rank can read and change without an action of rank 0.
class RemoteCounters {
  public:
    /// Collective. Rank 0's initial values are used. `communicator` must outlive the object.
    /// `as_between_machines` keeps MPI from using shared memory between the ranks (for tests).
    RemoteCounters(const Communicator& communicator, const std::vector<std::int64_t>& initial,
                   bool as_between_machines = false);

    // Local. Each function returns the value before the call.
    std::int64_t fetch_add(int counter, std::int64_t increment);
    std::int64_t read(int counter);
    /// Adds one increment to each of the first counters in one round trip and returns their former
    /// values. Each addition is atomic, but not all of them together.
    std::vector<std::int64_t> add_to_all(const std::vector<std::int64_t>& increments);
    std::int64_t replace(int counter, std::int64_t value);
    /// Reads `count` counters from `begin` at once. Each value was current at some moment of the
    /// call.
    std::vector<std::int64_t> read_range(std::size_t begin, std::size_t count);
    std::vector<std::int64_t> read_first(std::size_t count) { return read_range(0, count); }

    /// The requests that this rank has made so far, and the counters that they have touched. For
    /// tests and benchmarks of what a protocol costs.
    struct Traffic {
        std::int64_t requests = 0, counters = 0;
    };
    const Traffic& traffic() const { return traffic_; }

    /// Local. Call it between two reads of a value that another rank is about to change. Rank 0
    /// must not simply read again: over osc/ucx its own operations lock the window. Without
    /// hardware support, attempts of other ranks to take that lock are answered only inside MPI,
    /// and all of them fail during these operations.
    void wait_for_others();

  private:
    void finish(std::size_t counters);
    std::int64_t fetch_and(MPI_Op operation, int counter, std::int64_t operand);

    const Communicator& communicator_;
    std::vector<std::int64_t> memory_;  ///< used only with as_between_machines
    Window window_;
    std::int64_t* values_ = nullptr;
    Traffic traffic_;
};

}  // namespace tessera::mpi
