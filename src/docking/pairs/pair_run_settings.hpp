// The settings of a run over many pairs, and what it reports.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "docking/pairs/pair_failure.hpp"
#include "docking/pairs/pair_manifest.hpp"
#include "docking/pairs/pair_output.hpp"
#include "docking/pairs/pair_source.hpp"
#include "docking/search/rotation_set.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::docking {

/// How a pair ended.
struct PairOutcome {
    int pair = 0;                        ///< index into PairRunSettings::pairs
    std::optional<PairFailure> failure;  ///< none if its file is there
    WrittenPair written;                 ///< if its file is there
};

/// How far a run is.
struct PairsSoFar {
    std::int64_t tiles = 0;                               ///< handed out
    std::int64_t done = 0;                                ///< pairs whose files are there
    std::int64_t failed = 0;                              ///< pairs that failed
    std::int64_t refining = -1;                           ///< the pair that rank 0 refines, or -1
    std::int64_t tiles_refined = 0, tiles_to_refine = 0;  ///< tiles of the pair `refining`
};

/// All references must outlive the run.
struct PairRunSettings {
    const PairSource& pairs;  ///< the pairs that are left to do
    const RotationSet& rotations;
    const PairOutputs& outputs;
    const PairWriter& write;
    const io::RunRecord& record;  ///< command line and build
    const kernels::DeviceInfo& device;
    std::int64_t memory_budget = 0;
    const std::atomic<bool>& stop;
    std::function<void(const PairsSoFar& so_far)> progress;  ///< called on rank 0 now and then
    /// Called on rank 0 for each pair that ends before the run does.
    std::function<void(const PairOutcome& outcome)> ended;

    /// Called on rank 0 for each rank that goes on without its device.
    std::function<void(int rank, const std::string& host, const std::string& why)> left_out;

    DockPair pair(int index) const { return pairs.pair(static_cast<std::size_t>(index)); }
};

}  // namespace tessera::docking
