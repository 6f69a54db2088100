// tessera: docking, orbitals and stream likelihoods, cut into tiles, on clusters.
#include "cli/command_line.hpp"
#include "kokkos_kernels/device_guard.hpp"
#include "mpi/session.hpp"

int main(int argc, char** argv) {
    tessera::mpi::Session session(argc, argv);
    const int code = session.run([&] { return tessera::cli::run_command_line(argc, argv); });
    if (tessera::kernels::device_is_lost()) session.leave(code);
    return code;
}
