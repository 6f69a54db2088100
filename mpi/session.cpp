#include "mpi/session.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/terminal.hpp"
#include "mpi/mpi_error.hpp"
#include "mpi/open_mpi.hpp"

namespace tessera::mpi {

namespace {

int level_of(Threads threads) {
    switch (threads) {
        case Threads::funneled: return MPI_THREAD_FUNNELED;
        case Threads::serialized: return MPI_THREAD_SERIALIZED;
        default: return MPI_THREAD_MULTIPLE;
    }
}

void print_error(const std::string& line) { print_line(stderr, "tessera: " + line); }

/// Keeps the numbers of closed standard streams in use. Otherwise a file could get such a number
/// and receive what is printed.
void keep_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) return;
}

/// The exit code of a program that has done its work: 4 if its output could not be printed.
int after_printing(int code) {
    if (code != 0) return code;
    const std::string why = why_not_printed();
    if (why.empty()) return 0;
    print_error("cannot print to standard output (" + why +
                "): the files that the command writes are complete; print to a place with free "
                "space");
    return static_cast<int>(ExitCode::resources);
}

}  // namespace

Session::Session(int& argc, char**& argv, Threads needed, Threads wanted) {
    keep_standard_streams();
    int initialized = 0;
    check(MPI_Initialized(&initialized), "MPI_Initialized");
    int provided = MPI_THREAD_SINGLE;
    if (initialized) {
        check(MPI_Query_thread(&provided), "MPI_Query_thread");
    } else {
        const OpenMpiSettings settings;
        const int asked = std::max(level_of(needed), level_of(wanted));
        check(MPI_Init_thread(&argc, &argv, asked, &provided), "MPI_Init_thread");
        owns_mpi_ = true;
    }
    if (provided < level_of(needed)) {
        if (owns_mpi_) MPI_Finalize();
        throw Error("MPI cannot run beside threads",
                    "level " + std::to_string(provided) + " offered, " +
                        std::to_string(level_of(needed)) + " needed",
                    "use an MPI built with thread support", ExitCode::resources);
    }
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

Session::~Session() {
    if (owns_mpi_) MPI_Finalize();
}

void Session::leave(int exit_code) {
    std::fflush(nullptr);
    if (owns_mpi_) MPI_Finalize();
    _exit(exit_code);
}

int Session::run(const std::function<int()>& program) const {
    int rank = 0, size = 1;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
    try {
        return after_printing(program());
    } catch (const SharedError& error) {
        if (rank == 0) print_error(error.what());
        return static_cast<int>(error.code());
    } catch (...) {
        const Failure failure = describe(std::current_exception());
        if (size > 1)
            abort_job(failure.line + " [rank " + std::to_string(rank) + "]", failure.code);
        print_error(failure.line);
        return static_cast<int>(failure.code);
    }
}

int run_alone(const std::function<int()>& program) {
    keep_standard_streams();
    try {
        return after_printing(program());
    } catch (...) {
        const Failure failure = describe(std::current_exception());
        print_error(failure.line);
        return static_cast<int>(failure.code);
    }
}

void abort_job(const std::string& line, ExitCode code) {
    print_error(line);
    std::fflush(nullptr);
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    std::abort();
}

}  // namespace tessera::mpi
