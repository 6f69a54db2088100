// A pair whose tiles are all computed and whose file is not written yet.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "docking/search/sort_poses.hpp"
#include "docking/setup/prepare.hpp"
#include "io/hdf5/run_record.hpp"

namespace tessera::docking {

struct SearchedPair {
    std::shared_ptr<const PreparedDocking> prepared;
    BestRecords best;
    io::RunRecord record;  ///< what the run and this pair have done so far
};

// What another rank needs to write the pair's file in place of the owner.

/// The records of all sets.
std::vector<kernels::PoseRecord> all_records(BestRecords& best);
/// The parts of the record that differ from pair to pair, as bytes.
std::vector<std::byte> packed_record(const io::RunRecord& record);

/// Puts packed_record() back into the record of the run. Throws Error if bytes are missing or left
/// over.
void unpack_record(std::span<const std::byte> bytes, io::RunRecord& record);

}  // namespace tessera::docking
