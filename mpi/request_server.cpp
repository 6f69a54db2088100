#include "mpi/request_server.hpp"

#include <mpi.h>

#include <chrono>
#include <utility>

namespace tessera::mpi {

namespace {

// A request waits for half of it in the mean; a look takes a few microseconds.
constexpr auto between_looks = std::chrono::microseconds(500);

bool threads_may_call_mpi() {
    int provided = MPI_THREAD_SINGLE;
    check(MPI_Query_thread(&provided), "MPI_Query_thread");
    return provided >= MPI_THREAD_SERIALIZED;
}

}  // namespace

void serve_requests(const Communicator& communicator) {
    // A request takes a few turns: its arrival, the answer, the acknowledgement.
    for (int turn = 0; turn < 4; ++turn) {
        int pending = 0;
        check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator.handle(), &pending,
                         MPI_STATUS_IGNORE),
              "MPI_Iprobe");
    }
}

RequestServer::RequestServer(const Communicator& communicator) : communicator_(communicator) {
    if (threads_may_call_mpi()) thread_ = std::thread([this] { work(); });
}

RequestServer::~RequestServer() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
}

void RequestServer::open() {
    const std::lock_guard lock(inside_mpi_);
    open_ = true;
}

bool RequestServer::close() {
    const std::lock_guard lock(inside_mpi_);
    return std::exchange(open_, false);
}

void RequestServer::work() {
    while (!over_.load()) {
        {
            const std::lock_guard lock(inside_mpi_);
            try {
                if (open_) serve_requests(communicator_);
            } catch (const Error&) {
                return;  // the rank's own next call meets the same, where it can be told
            }
        }
        std::this_thread::sleep_for(between_looks);
    }
}

}  // namespace tessera::mpi
