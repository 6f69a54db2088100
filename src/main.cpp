// tessera: docking, orbitals and stream likelihoods, cut into tiles, on clusters.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "app/command_line.hpp"
#include "core/keep_freed_memory.hpp"
#include "core/stop_flag.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "mpi/launcher.hpp"
#include "mpi/session.hpp"

int main(int argc, char** argv) {
    // Before MPI starts, which may take as long as a warning has to wait.
    auto stop = std::make_unique<tessera::StopFlag>();
    tessera::app::CommandLine command_line(argc, argv);
    if (command_line.shuns_mpi() ||
        (!command_line.needs_ranks() && !tessera::mpi::has_launcher())) {
        tessera::keep_freed_memory();
        const int code =
            tessera::mpi::run_alone([&] { return command_line.run_alone(std::move(stop)); });
#ifndef __SANITIZE_ADDRESS__  // it looks for leaks at the end
        // Everything is written. To take the options apart would take another millisecond.
        std::fflush(nullptr);
        std::_Exit(code);
#endif
        return code;
    }
    tessera::mpi::Session session(argc, argv);
    const int code = session.run([&] { return command_line.run(std::move(stop)); });
    if (tessera::kernels::device_is_lost()) session.leave(code);
    return code;
}
