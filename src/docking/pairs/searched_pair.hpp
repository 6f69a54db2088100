// A pair whose tiles are all there, on its way to its file.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "docking/search/dock_workload.hpp"
#include "docking/setup/prepare.hpp"
#include "io/hdf5/run_record.hpp"

namespace tessera::docking {

struct SearchedPair {
    std::shared_ptr<const docking::PreparedDocking> prepared;
    docking::BestRecords best;
    io::RunRecord record;  ///< of the run and of this pair, so far
};

/// What another rank needs to write the pair's file in the place of its owner: all records of all sets,
/// and what the record says of this pair, as bytes.
std::vector<kernels::PoseRecord> all_records(docking::BestRecords& best);
std::string packed_record(const io::RunRecord& record);

/// Brings the latter back into the record of the run. Throws Error where it is not whole.
void unpack_record(std::string_view bytes, io::RunRecord& record);

}  // namespace tessera::docking
