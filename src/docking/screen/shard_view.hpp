// What commands show of a shard.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "docking/result/dock_result.hpp"
#include "docking/screen/pose_shard.hpp"
#include "io/text/value_table.hpp"

namespace tessera::docking {

/// A row for each pose: pair by pair, the best first, at most `most` of each pair. `pair`: a name
/// such as RECEPTOR__LIGAND; all pairs if it is empty. Throws Error if there is no such pair.
io::ValueTable shard_table(const std::shared_ptr<const PoseShard>& shard, const std::string& pair,
                           std::int64_t most);

/// The pair of this name. Throws Error if there is none.
const PoseShard::Pair& pair_named(const PoseShard& shard, const std::string& name);

/// The poses of a pair as the result of a docking, without atoms. Its only list has the name of the
/// pair.
DockResult result_of_pair(const PoseShard& shard, const PoseShard::Pair& pair);

/// Lines for people.
std::string describe_shard(const PoseShard& shard);
/// The same as JSON (docs/reference/formats.md).
std::string to_json(const PoseShard& shard);

}  // namespace tessera::docking
