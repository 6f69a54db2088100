// The program with faults on order: src/main.cpp, and what TESSERA_TEST_FAULTS says (faults.hpp).
#include <csignal>
#include <cstdlib>
#include <memory>
#include <utility>

#include "app/command_line.hpp"
#include "core/stop_flag.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "mpi/communicator.hpp"
#include "mpi/session.hpp"
#include "support/faults.hpp"

int main(int argc, char** argv) {
    auto stop = std::make_unique<tessera::StopFlag>();
    tessera::app::CommandLine command_line(argc, argv);
    tessera::mpi::Session session(argc, argv);
    std::signal(SIGUSR1, SIG_IGN);  // as libraries do that MPI's start has loaded
    const int code = session.run([&] {
        if (const char* faults = std::getenv("TESSERA_TEST_FAULTS"))
            tessera::test::install_faults(tessera::test::parse_faults(faults),
                                          tessera::mpi::Communicator::world().rank());
        return command_line.run(std::move(stop));
    });
    if (tessera::kernels::device_is_lost()) session.leave(code);
    return code;
}
