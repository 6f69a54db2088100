#include "mpi/request_server.hpp"

#include <mpi.h>

#include <utility>

namespace tessera::mpi {

namespace {

bool threads_may_call_mpi() {
    int provided = MPI_THREAD_SINGLE;
    check(MPI_Query_thread(&provided), "MPI_Query_thread");
    return provided >= MPI_THREAD_SERIALIZED;
}

}  // namespace

void serve_requests(const Communicator& communicator) {
    // A request takes a few turns: arrival, answer, acknowledgement.
    for (int turn = 0; turn < 4; ++turn) {
        int pending = 0;
        check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator.handle(), &pending,
                         MPI_STATUS_IGNORE),
              "MPI_Iprobe");
    }
}

RequestServer::RequestServer(const Communicator& communicator)
    : RequestServer([&communicator] { serve_requests(communicator); }, between_requests) {}

RequestServer::RequestServer(std::function<void()> turn, std::chrono::microseconds between_turns)
    : turn_(std::move(turn)), between_turns_(between_turns) {
    if (threads_may_call_mpi()) thread_ = std::thread([this] { work(); });
}

RequestServer::~RequestServer() {
    {
        const std::lock_guard lock(inside_mpi_);
        over_ = true;
    }
    wake_.notify_all();
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
    std::unique_lock lock(inside_mpi_);
    while (!over_) {
        try {
            if (open_) turn_();
        } catch (const Error&) {
            return;  // the rank's own next call fails in the same way and reports it
        }
        wake_.wait_for(lock, between_turns_, [this] { return over_; });
    }
}

}  // namespace tessera::mpi
