// Where an orbital run's results go: grids into the file that will be the result, all else into the
// journal, until rank 0 finishes the file.
#pragma once

#include <memory>
#include <string>

#include "io/hdf5/result_file.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "orbitals/result/result.hpp"
#include "orbitals/tiles/journal.hpp"

namespace tessera::orbitals {

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

    /// On rank 0, when all ranks have closed their journals: the result file `path` with all grids and surfaces.
    std::unique_ptr<io::ResultFile> make_file(const std::string& path, bool force) const;

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

}  // namespace tessera::orbitals
