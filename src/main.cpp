// tessera: docking, orbitals and stream likelihoods, cut into tiles, on clusters.
#include "cli/command_line.hpp"
#include "mpi/session.hpp"

int main(int argc, char** argv) {
    tessera::mpi::Session session(argc, argv);
    return session.run([&] { return tessera::cli::run_command_line(argc, argv); });
}
