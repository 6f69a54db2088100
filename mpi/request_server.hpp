// Answers other ranks' requests to this rank's windows while it computes.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "mpi/communicator.hpp"

namespace tessera::mpi {

/// Over transports that need the target's help (TCP) a request to a window is answered only while its
/// rank is inside MPI. Between open() and close() a thread goes there every half millisecond; the rank
/// itself makes no MPI call meanwhile. Needs MPI_THREAD_SERIALIZED and does nothing below it.
class RequestServer {
  public:
    /// `communicator` must outlive it. Closed at first.
    explicit RequestServer(const Communicator& communicator);
    ~RequestServer();
    RequestServer(const RequestServer&) = delete;
    RequestServer& operator=(const RequestServer&) = delete;

    void open();
    /// The thread is outside MPI when it returns. Returns whether it was open.
    bool close();

  private:
    void work();

    const Communicator& communicator_;
    std::mutex inside_mpi_;
    bool open_ = false;  ///< guarded by inside_mpi_
    std::atomic<bool> over_{false};
    std::thread thread_;
};

/// Lets MPI deal with what has arrived.
void serve_requests(const Communicator& communicator);

}  // namespace tessera::mpi
