#include "mpi/window.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <thread>

#include "mpi/request_server.hpp"
#include "mpi/waiting.hpp"

namespace tessera::mpi {

namespace {

constexpr std::size_t alignment = 64;  // a cache line
constexpr auto between_looks = std::chrono::microseconds(50);

}  // namespace

void Window::open(const Communicator& communicator) {
    communicator_ = communicator.handle();
    check(MPI_Win_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    check(MPI_Win_lock_all(MPI_MODE_NOCHECK, handle_), "MPI_Win_lock_all");
    exceptions_before_ = std::uncaught_exceptions();
}

Window::~Window() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (handle_ == MPI_WIN_NULL || finalized) return;
    if (std::uncaught_exceptions() > exceptions_before_) return;
    try {
        meet(communicator_);
    } catch (const Error&) {
        return;
    }
    MPI_Win_unlock_all(handle_);
    MPI_Win_free(&handle_);
}

SharedMemory::SharedMemory(const Communicator& node, std::size_t bytes) {
    // MPI promises no alignment, so the memory has room to align by hand. Segments are mapped at
    // page boundaries, so the aligned address lies at the same offset in every process.
    const std::size_t room = bytes + alignment;
    const MPI_Aint mine = node.rank() == 0 ? static_cast<MPI_Aint>(room) : 0;
    void* local = nullptr;
    node.barrier();
    check(MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, node.handle(), &local, window_.address()),
          "MPI_Win_allocate_shared");
    window_.open(node);
    MPI_Aint size = 0;
    int unit = 0;
    void* segment = nullptr;
    check(MPI_Win_shared_query(window_.handle(), 0, &size, &unit, &segment),
          "MPI_Win_shared_query");
    std::size_t space = room;
    data_ = std::align(alignment, bytes, segment, space);
    if (node.rank() == 0) std::memset(data_, 0, bytes);
    check(MPI_Win_sync(window_.handle()), "MPI_Win_sync");
    node.barrier();
    check(MPI_Win_sync(window_.handle()), "MPI_Win_sync");
}

RemoteCounters::RemoteCounters(const Communicator& communicator,
                               const std::vector<std::int64_t>& initial, bool as_between_machines)
    : communicator_(communicator) {
    const bool holds = communicator.rank() == 0;
    const auto bytes = static_cast<MPI_Aint>(holds ? initial.size() * sizeof(std::int64_t) : 0);
    communicator.barrier();
    if (as_between_machines) {
        memory_.resize(holds ? initial.size() : 0);
        values_ = memory_.data();
        check(MPI_Win_create(values_, bytes, sizeof(std::int64_t), MPI_INFO_NULL,
                             communicator.handle(), window_.address()),
              "MPI_Win_create");
    } else {
        check(MPI_Win_allocate(bytes, sizeof(std::int64_t), MPI_INFO_NULL, communicator.handle(),
                               &values_, window_.address()),
              "MPI_Win_allocate");
    }
    window_.open(communicator);
    if (holds) std::copy(initial.begin(), initial.end(), values_);
    check(MPI_Win_sync(window_.handle()), "MPI_Win_sync");
    communicator.barrier();
}

/// Waits for a request that touches so many counters.
void RemoteCounters::finish(std::size_t counters) {
    ++traffic_.requests;
    traffic_.counters += static_cast<std::int64_t>(counters);
    check(MPI_Win_flush(0, window_.handle()), "MPI_Win_flush");
}

void RemoteCounters::wait_for_others() {
    serve_requests(communicator_);
    std::this_thread::sleep_for(between_looks);
}

std::int64_t RemoteCounters::fetch_and(MPI_Op operation, int counter, std::int64_t operand) {
    std::int64_t before = 0;
    check(MPI_Fetch_and_op(&operand, &before, MPI_INT64_T, 0, counter, operation, window_.handle()),
          "MPI_Fetch_and_op");
    finish(1);
    return before;
}

std::vector<std::int64_t> RemoteCounters::add_to_all(const std::vector<std::int64_t>& increments) {
    std::vector<std::int64_t> before(increments.size(), 0);
    const int count = static_cast<int>(increments.size());
    check(MPI_Get_accumulate(increments.data(), count, MPI_INT64_T, before.data(), count,
                             MPI_INT64_T, 0, 0, count, MPI_INT64_T, MPI_SUM, window_.handle()),
          "MPI_Get_accumulate");
    finish(before.size());
    return before;
}

std::int64_t RemoteCounters::fetch_add(int counter, std::int64_t increment) {
    return fetch_and(MPI_SUM, counter, increment);
}

std::int64_t RemoteCounters::read(int counter) { return fetch_and(MPI_NO_OP, counter, 0); }

std::int64_t RemoteCounters::replace(int counter, std::int64_t value) {
    return fetch_and(MPI_REPLACE, counter, value);
}

std::vector<std::int64_t> RemoteCounters::read_range(std::size_t begin, std::size_t count) {
    std::vector<std::int64_t> values(count);
    const auto length = static_cast<int>(count);
    check(MPI_Get_accumulate(nullptr, 0, MPI_INT64_T, values.data(), length, MPI_INT64_T, 0,
                             static_cast<MPI_Aint>(begin), length, MPI_INT64_T, MPI_NO_OP,
                             window_.handle()),
          "MPI_Get_accumulate");
    finish(count);
    return values;
}

}  // namespace tessera::mpi
