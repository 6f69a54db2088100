// The output of an orbital run. Grids go into the file that will be the result, and everything else
// into the journal, until rank 0 finishes the file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/hdf5/result_file.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "orbitals/result/result.hpp"
#include "orbitals/tiles/recorder.hpp"

namespace tessera::orbitals {

class OrbitalOutput {
  public:
    /// Collective. Begins the run's files or continues the files of an earlier attempt. The
    /// arguments must outlive this object.
    OrbitalOutput(const mpi::Communicator& world, const JournalRequest& request,
                  const OrbitalInput& input, const PreparedOrbitals& prepared,
                  const GridOutput& grids, kernels::Backend backend);
    /// Keeps everything that has been computed, however the run ends.
    ~OrbitalOutput();
    OrbitalOutput(const OrbitalOutput&) = delete;
    OrbitalOutput& operator=(const OrbitalOutput&) = delete;

    io::GridWriter& writer() { return *writer_; }
    OrbitalRecorder& recorder() { return *recorder_; }
    DiskJournal<OrbitalSum>& disk() { return disk_; }

    /// Makes the result file `path` with all grids and surfaces. Called on rank 0 when all ranks
    /// have closed their journals.
    std::unique_ptr<io::ResultFile> make_file(const std::string& path, bool force) const;

    /// The sums of densities of the tiles that count on this rank. Called when all ranks have
    /// closed their journals. Rank 0 reads those of earlier attempts from the disk.
    std::map<TileId, PointSums>
    density_sums(const std::vector<TilePartial<OrbitalSum>>& partials) const;

  private:
    void open_store(const mpi::Communicator& world, kernels::Backend backend);
    std::string store() const { return disk_.file("result.h5"); }
    /// Whether grids have their place in the file from the beginning.
    bool has_store() const;

    const OrbitalInput& input_;
    const PreparedOrbitals& prepared_;
    const GridOutput& grids_;
    DiskJournal<OrbitalSum> disk_;
    std::unique_ptr<io::GridWriter> writer_;
    std::unique_ptr<OrbitalRecorder> recorder_;
};

}  // namespace tessera::orbitals
