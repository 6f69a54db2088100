#include "mpi/waiting.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "mpi/mpi_error.hpp"

namespace tessera::mpi {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// Longer than ranks that share a small piece of work come apart (a batch of a fit's evaluations), at each of
// its collectives; short beside what anyone would notice.
constexpr auto awake = microseconds(2000);
// A tenth of what has been waited: the end is seen late by no more than that.
constexpr int part_asleep = 10;
constexpr auto longest_sleep = microseconds(500);

bool are_done(std::span<MPI_Request> requests, const std::source_location& where) {
    int done = 0;
    check(
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall", where);
    return done != 0;
}

}  // namespace

void wait_for(std::span<MPI_Request> requests, const std::source_location& where) {
    const auto begun = Clock::now();
    while (!are_done(requests, where)) {
        const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - begun);
        if (waited < awake)
            std::this_thread::yield();  // to the rank that is waited for, should it share this core
        else
            std::this_thread::sleep_for(std::min(waited / part_asleep, longest_sleep));
    }
}

void wait_for(MPI_Request& request, const std::source_location& where) {
    wait_for(std::span(&request, 1), where);
}

void meet(MPI_Comm communicator) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(communicator, &request), "MPI_Ibarrier");
    wait_for(request);
}

}  // namespace tessera::mpi
