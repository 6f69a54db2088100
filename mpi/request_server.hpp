// Work inside MPI that goes on while a rank computes, such as to answer other ranks' requests to its windows.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "mpi/communicator.hpp"

namespace tessera::mpi {

/// Over transports that need the target's help (TCP) a request to a window is answered only while its
/// rank is inside MPI. Between open() and close() a thread goes there every half millisecond, or does what
/// else it is told as often as it is told; the rank itself makes no MPI call meanwhile. Needs
/// MPI_THREAD_SERIALIZED and does nothing below it.
class RequestServer {
  public:
    /// `communicator` must outlive it. Closed at first.
    explicit RequestServer(const Communicator& communicator);
    RequestServer(std::function<void()> turn, std::chrono::microseconds between_turns);
    ~RequestServer();
    RequestServer(const RequestServer&) = delete;
    RequestServer& operator=(const RequestServer&) = delete;

    void open();
    /// The thread is outside MPI when it returns. Returns whether it was open.
    bool close();

  private:
    void work();

    const std::function<void()> turn_;
    const std::chrono::microseconds between_turns_;
    std::mutex inside_mpi_;
    bool open_ = false, over_ = false;  ///< guarded by inside_mpi_
    std::condition_variable wake_;
    std::thread thread_;
};

/// A request waits for half of it in the mean; a look takes a few microseconds.
constexpr auto between_requests = std::chrono::microseconds(500);

/// Lets MPI deal with what has arrived.
void serve_requests(const Communicator& communicator);

}  // namespace tessera::mpi
