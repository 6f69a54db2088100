// Evaluates all wedges of a run over the ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "core/stop_flag.hpp"
#include "engine/resume.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/exact/workload.hpp"
#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/input.hpp"
#include "likelihood/model/wedge_input.hpp"
#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::likelihood {

using ExactJournal = DiskJournal<ExactWorkload::Payload>;

/// The data that all wedges of a run share.
struct LikelihoodJob {
    const LikelihoodInput& input;
    const std::vector<WedgeInput>& wedges;
    const kernels::DeviceInfo& device;
    const StopFlag& stop;
    bool quiet = false;
};

/// Number of tiles, which depends on the input alone. Tiles are blocks of columns and of stars, or
/// whole wedges.
std::int64_t number_of_tiles(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges);

/// Collective. Returns one evaluation for each wedge, on rank 0, by the exact integration. It
/// resumes from the journal and notes in `record` what was done where.
std::vector<Evaluation> evaluate_exactly(const mpi::Communicator& world, const LikelihoodJob& job,
                                         mpi::NodeTileIterator& tiles, ExactJournal& journal,
                                         io::RunRecord& record);

/// Collective. The same by the compressed integration. It has no journal, which would take longer.
std::vector<Evaluation> evaluate_compressed(const mpi::Communicator& world,
                                            const LikelihoodJob& job, mpi::NodeTileIterator& tiles,
                                            io::RunRecord& record);

}  // namespace tessera::likelihood
