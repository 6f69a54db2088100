// What would run where, and for how long: the estimates of all ranks put together.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "plan/device_description.hpp"

namespace tessera::plan {

/// A phase of a run under the name it has in the output's /run/phases.
struct PhaseEstimate {
    std::string name;
    double seconds = 0;
    Basis basis = Basis::table;
};

/// What one rank would do.
struct RankPlan {
    std::string host;
    DeviceDescription device;
    std::string why_not;            ///< one line; empty: the job can run here
    std::string precision;          ///< of the arithmetic, in the words of --precision
    std::string arrangement;        ///< batches, and what of the memory goes where
    std::int64_t memory_bytes = 0;  ///< of the device, that the job takes
    double start_seconds = 0;  ///< of the device and of what is made on it before the first tile
    Basis start_basis = Basis::table;
    double first_tile_seconds = 0;   ///< of tables made once, within the first tile
    double item_seconds = 0;         ///< a work item, with all it does beside
    double second_item_seconds = 0;  ///< of the job's second stage
    Basis basis = Basis::table;

    bool can_run() const { return why_not.empty(); }
    double rate() const { return item_seconds > 0 ? 1 / item_seconds : 0; }  ///< items/s
};

/// Other work that is spread over the ranks after the first: the refinement of docked poses.
struct SecondStage {
    std::string phase;  ///< its name; empty: there is none
    double items = 0;
    std::int64_t tiles = 0;
};

/// The work as it is cut, by the input alone.
struct JobSize {
    std::string workload;  ///< "dock", "orbital", "likelihood", "fit"
    std::string item;      ///< what is counted, in the plural: "rotations"
    double items = 0;
    std::int64_t tiles = 0;  ///< of equal size
    std::string tile_phase;  ///< name of the phase in which they are done
    double serial_share =
        0;  ///< of the work, that one rank does after another, however many there are
    SecondStage second;
};

/// What is written while the tiles are computed, and must have come to the disk at their end.
struct GridWrites {
    double bytes = 0;        ///< of all ranks
    double synced_rate = 0;  ///< bytes/s to the disk, of a rank while the others write as well
    double cached =
        std::numeric_limits<double>::infinity();  ///< bytes that a node keeps in its memory before
                                                  ///< its system begins to bring them to the disk
};

/// One rank's finding. Job and phases are the same on every rank, up to their times.
struct LocalPlan {
    RankPlan rank;
    JobSize job;
    std::vector<PhaseEstimate> before,
        after;  ///< of rank 0: to the start of the device, after the tiles; what it does itself in
                ///< the second stage's phase
    GridWrites writes;               ///< their rest belongs to the phase of the tiles
    std::vector<std::string> notes;  ///< what a user should know, one line each
};

struct JobPlan {
    JobSize job;
    std::vector<RankPlan> ranks;
    std::vector<PhaseEstimate> phases;  ///< in order; empty where some rank cannot run
    std::vector<std::string> notes;

    bool can_run() const;
    double total_seconds() const;
    double rate() const;  ///< of all ranks, items/s
};

/// Seconds until the last of `tiles` equal tiles of `items` in all is done where every rank takes the
/// next one as it comes free; ranks begin after their first_tile_seconds. The serial share is the
/// fastest rank's.
double tile_seconds(const std::vector<RankPlan>& ranks, const JobSize& job);

/// Of the second stage, likewise.
double second_stage_seconds(const std::vector<RankPlan>& ranks, const JobSize& job);

/// Seconds that the disk still needs for the rest of `writes` when the tiles, which took `tile_seconds`, are
/// done by `ranks` ranks on `nodes` nodes.
double sync_seconds(const GridWrites& writes, double tile_seconds, std::size_t ranks,
                    std::size_t nodes);

/// `root`: rank 0's finding; `ranks`: of all, in order.
JobPlan combine(const LocalPlan& root, std::vector<RankPlan> ranks);

/// A rank's plan as bytes on their way to rank 0, and back.
std::string to_json(const RankPlan& rank);
RankPlan rank_from_json(const std::string& text);

/// Keys: docs/reference/formats.md.
std::string to_json(const JobPlan& plan);

/// A table for people.
std::string report_text(const JobPlan& plan);

/// Seconds since this process began, by the system's clock of it; 0 where the system does not say.
double seconds_since_process_began();

}  // namespace tessera::plan
