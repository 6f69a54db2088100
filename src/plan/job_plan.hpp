// Where a job would compute and for how long: the estimates of all ranks combined.
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
    std::string precision;          ///< of the arithmetic, a value of --precision
    std::string arrangement;        ///< batches, and how the memory is used
    std::int64_t memory_bytes = 0;  ///< device memory that the job uses
    double start_seconds = 0;       ///< start of the device and preparation before the first tile
    Basis start_basis = Basis::table;
    double first_tile_seconds = 0;   ///< tables that are made once, within the first tile
    double item_seconds = 0;         ///< one work item, with everything that it entails
    double second_item_seconds = 0;  ///< one item of the second stage
    Basis basis = Basis::table;

    bool can_run() const { return why_not.empty(); }
    double rate() const { return item_seconds > 0 ? 1 / item_seconds : 0; }  ///< items/s
};

/// Work that is spread over the ranks after the tiles: the refinement of docked poses.
struct SecondStage {
    std::string phase;  ///< name of its phase; empty: there is no second stage
    double items = 0;
    std::int64_t tiles = 0;
};

/// The work and its tiles, which depend on the input alone.
struct JobSize {
    std::string workload;  ///< "dock", "orbital", "likelihood", "fit"
    std::string item;      ///< the unit of work, in the plural: "rotations"
    double items = 0;
    std::int64_t tiles = 0;  ///< of equal size
    std::string tile_phase;  ///< name of the phase that computes the tiles
    double serial_share =
        0;  ///< share of the work that ranks cannot do at the same time, however many there are
    SecondStage second;
    std::size_t jobs = 0;  ///< of a screening: jobs like this one that do all of it
};

/// Data that is written while the tiles are computed, and must be on the disk when they end.
struct GridWrites {
    double bytes = 0;        ///< of all ranks
    double synced_rate = 0;  ///< bytes/s of one rank to the disk while the others write too
    double cached =
        std::numeric_limits<double>::infinity();  ///< bytes that the system of a node keeps in
                                                  ///< memory before it writes them to the disk
};

/// The plan of one rank. Job and phases are the same on every rank, apart from their times.
struct LocalPlan {
    RankPlan rank;
    JobSize job;
    /// Phases of rank 0 before the start of the device, and after the tiles. The phase of the
    /// second stage holds only the share of rank 0 itself.
    std::vector<PhaseEstimate> before, after;
    GridWrites writes;               ///< the phase of the tiles ends when these are on the disk
    std::vector<std::string> notes;  ///< lines for the user
};

struct JobPlan {
    JobSize job;
    std::vector<RankPlan> ranks;
    std::vector<PhaseEstimate> phases;  ///< in order; empty if a rank cannot run
    std::vector<std::string> notes;

    bool can_run() const;
    double total_seconds() const;
    std::size_t nodes() const;
    /// Of all jobs of a screening.
    double node_hours() const {
        return total_seconds() / 3600 * static_cast<double>(nodes() * job.jobs);
    }
    double rate() const;  ///< of all ranks together, items/s
};

/// Seconds until the last tile of the job is done. The tiles are equal, and a rank takes the next
/// one when it becomes free. Each rank begins after its first_tile_seconds. The fastest rank does
/// the serial share.
double tile_seconds(const std::vector<RankPlan>& ranks, const JobSize& job);

/// Seconds until the last tile of the second stage is done.
double second_stage_seconds(const std::vector<RankPlan>& ranks, const JobSize& job);

/// Seconds that the disk still needs for the rest of `writes` when the tiles end. The tiles took
/// `tile_seconds` on `ranks` ranks of `nodes` nodes.
double sync_seconds(const GridWrites& writes, double tile_seconds, std::size_t ranks,
                    std::size_t nodes);

/// Combines the plan of rank 0 (`root`) with the plans of all ranks, in order.
JobPlan combine(const LocalPlan& root, std::vector<RankPlan> ranks);

/// The plan of a rank as text, which travels to rank 0, and back.
std::string to_json(const RankPlan& rank);
RankPlan rank_from_json(const std::string& text);

/// The JSON of --json. Its keys are in docs/reference/formats.md.
std::string to_json(const JobPlan& plan);

/// The plan that a program has printed as JSON. Throws std::exception if the text is no plan.
JobPlan job_from_json(const std::string& text);

/// "0.0123 s", "12.3 s", "20 min", "5.2 h"
std::string duration_text(double seconds);

/// The plan as text for people.
std::string report_text(const JobPlan& plan);

/// Seconds since the system started this process; 0 if the system does not say.
double seconds_since_process_began();

}  // namespace tessera::plan
