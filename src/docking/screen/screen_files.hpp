// The files of the shards of a screening, which rank 0 writes while the run goes on.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "docking/pairs/pair_ledger.hpp"
#include "docking/screen/pose_shard.hpp"
#include "docking/screen/screen_pairs.hpp"
#include "docking/screen/shard_layout.hpp"
#include "io/hdf5/run_record.hpp"

namespace tessera::docking {

/// What the manifest holds of a pair, as far as a shard needs it.
struct EnteredPair {
    std::string input_sha256, poses;
};

/// The pairs of a shard that are done, by the index of their row.
using EnteredPairs = std::map<std::size_t, EnteredPair>;

/// What earlier runs have left of the poses.
struct ShardsSoFar {
    std::set<std::size_t> whole;                  ///< shards whose files need nothing more
    std::map<std::size_t, EnteredPairs> waiting;  ///< the done pairs of the other shards
};

/// Identifies the content of a shard.
std::string content_hash(const ScreenPairs& pairs, const EnteredPairs& entered);

/// What the files of all shards have in common. The pairs and the rows must outlive the files.
struct ScreenFilesContext {
    std::string folder;   ///< of the results
    std::string scratch;  ///< a path on the same file system, for files without a name
    std::string version;  ///< of the program
    const ScreenPairs& pairs;
    const std::vector<PairRow>& rows;
    ShardLayout layout;
    CoefficientSet set;
    std::vector<Quaternion> rotations;
    io::RunRecord record;
    SummaryLines lines;  ///< while the run goes on
};

/// Writes the poses of a shard when all of its pairs have ended. The lines of a shard are written
/// then, too, and before that at most once a minute. Until the poses of a pair are in a shard, they
/// are held here, and the manifest has them. Failures throw Error.
class ScreenFiles {
  public:
    ScreenFiles(ScreenFilesContext context, ShardsSoFar so_far);

    /// Removes the shards that no longer hold what they should, and writes what earlier runs have
    /// left.
    void begin();
    /// The pair of this row has ended, as the rows say.
    void enter(std::size_t row, const PairOutcome& outcome);
    /// Writes all poses that are in no file, and all lines again in their last form.
    void finish(const SummaryLines& lines);

  private:
    void remove_others(const std::string& folder, const std::string& ending,
                       const std::set<std::string>& kept) const;
    bool has_ended(std::size_t shard) const;
    void write_poses(std::size_t shard);
    void write_lines(std::size_t shard, const SummaryLines& lines, bool unfinished_too) const;
    std::size_t shard_of(std::size_t row) const {
        return context_.layout.shard_of(context_.pairs.number(row));
    }
    /// The rows of a shard.
    NumberRange rows_of(std::size_t shard) const;

    ScreenFilesContext context_;
    ShardsSoFar so_far_;
    std::map<std::size_t, std::size_t> unfinished_;  ///< pairs of a shard that have not ended
    std::set<std::size_t> changed_;                  ///< shards with lines that are in no file
    std::chrono::steady_clock::time_point next_;     ///< when lines are written at the earliest
};

}  // namespace tessera::docking
