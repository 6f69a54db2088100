#include "mpi/waiting.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "mpi/mpi_error.hpp"

namespace tessera::mpi {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// Longer than the time between the arrivals of ranks at a collective if they share a small piece of
// work (such as a batch of a fit's evaluations). Too short to be noticed by a user.
constexpr auto awake = microseconds(2000);
// A rank sleeps for a tenth of the time that it has waited, so it notices the end late by at most
// that much.
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
            std::this_thread::yield();  // the other rank may share this core
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
