#include "io/hdf5/crash_line.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "core/error.hpp"

extern "C" void __asan_init() __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)

namespace tessera::io::h5 {
namespace {

// A signal handler may only touch what is there already.
std::string line;
std::array<char, 1 << 16> stack;  // the crash may be an overflow of the usual one

void end_with_line(int) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(static_cast<int>(ExitCode::usage));
}

}  // namespace

bool crashes_are_reported() { return __asan_init != nullptr; }

void explain_crashes_in(const std::string& path) {
    if (crashes_are_reported()) return;
    line = "tessera: cannot read '" + path +
           "' (the program crashed in it, as HDF5 does in some damaged files): copy the file again "
           "from where it is whole, or make it again\n";
    const stack_t place{stack.data(), 0, stack.size()};
    ::sigaltstack(&place, nullptr);
    struct sigaction action = {};
    action.sa_handler = &end_with_line;
    action.sa_flags = SA_ONSTACK | SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGSEGV, SIGBUS}) sigaction(number, &action, nullptr);
}

}  // namespace tessera::io::h5
