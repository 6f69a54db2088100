// Where an orbital run's results go: grids into the file that will be the result, all else into the
// journal, until rank 0 finishes the file.
#pragma once

#include <memory>

#include "cli/orbital_command.hpp"
#include "io/result_file.hpp"
#include "kokkos_kernels/device.hpp"
#include "orbitals/orbital_journal.hpp"
#include "orbitals/orbital_result.hpp"

namespace tessera::cli {

class OrbitalOutput {
  public:
    /// Collective. Begins the run's files or takes up what an earlier attempt has left. The arguments
    /// must outlive this.
    OrbitalOutput(const mpi::Communicator& world, const JournalRequest& request,
                  const orbitals::OrbitalInput& input, const orbitals::PreparedOrbitals& prepared,
                  const orbitals::GridOutput& grids, kernels::Backend backend);
    /// What has been computed is kept, however the run ends.
    ~OrbitalOutput();
    OrbitalOutput(const OrbitalOutput&) = delete;
    OrbitalOutput& operator=(const OrbitalOutput&) = delete;

    io::GridWriter& writer() { return *writer_; }
    orbitals::OrbitalJournal& journal() { return *journal_; }
    DiskJournal<orbitals::OrbitalSum>& disk() { return disk_; }

    /// When this rank's tiles are done: waits until all is written, and on the disk where `to_disk`.
    void close(bool to_disk);
    /// On rank 0, when all ranks have closed: the result file with all grids and surfaces in it.
    std::unique_ptr<io::ResultFile> make_file(const OrbitalRunOptions& options) const;

  private:
    void open_store(const mpi::Communicator& world, kernels::Backend backend);
    std::string store() const { return disk_.file("result.h5"); }
    /// Grids have their place in the file from the beginning.
    bool has_store() const;

    const orbitals::OrbitalInput& input_;
    const orbitals::PreparedOrbitals& prepared_;
    const orbitals::GridOutput& grids_;
    DiskJournal<orbitals::OrbitalSum> disk_;
    std::unique_ptr<io::GridWriter> writer_;
    std::unique_ptr<orbitals::OrbitalJournal> journal_;
};

}  // namespace tessera::cli
