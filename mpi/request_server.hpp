// A thread that works inside MPI while its rank computes, for example to answer requests to
// windows.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "mpi/communicator.hpp"

namespace tessera::mpi {

/// Over transports that need the target's help (TCP), a request to a window is answered only while
/// the target rank is inside MPI. Between open() and close() a thread enters MPI every half
/// millisecond, or runs another `turn` at another interval. The rank itself makes no MPI call
/// meanwhile. Requires MPI_THREAD_SERIALIZED; without it the thread is not started.
class RequestServer {
  public:
    /// `communicator` must outlive the object. The server starts closed.
    explicit RequestServer(const Communicator& communicator);
    RequestServer(std::function<void()> turn, std::chrono::microseconds between_turns);
    ~RequestServer();
    RequestServer(const RequestServer&) = delete;
    RequestServer& operator=(const RequestServer&) = delete;

    void open();
    /// When close() returns, the thread is outside MPI. Returns whether the server was open.
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

/// A request waits for half of this interval on average. A turn takes a few microseconds.
constexpr auto between_requests = std::chrono::microseconds(500);

/// Lets MPI process the requests that have arrived.
void serve_requests(const Communicator& communicator);

}  // namespace tessera::mpi
