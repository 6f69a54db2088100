// The record of finished tiles on disk: what run_tiles appends to, and what the next run goes on
// with. docs/developer/journal.md describes the folder.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/tile.hpp"
#include "engine/tile_records.hpp"
#include "io/journal/journal.hpp"
#include "io/journal/partial_folder.hpp"
#include "mpi/communicator.hpp"

namespace tessera {

/// Names the last start of this machine.
std::string start_of_machine();

struct JournalRequest {
    std::string output;  ///< OUT.h5: progress is kept in OUT.h5.partial/
    io::RunIdentity identity;
    std::string device;  ///< the kind this rank computes on, "NVIDIA H200"; recorded, not compared
    bool force = false;  ///< forget what another run has left
    std::string machine = start_of_machine();
    const std::atomic<bool>* stop = nullptr;  ///< looked at while another run holds the folder
};

/// A tile of an earlier attempt.
struct StoredTile {
    RunPhase phase = RunPhase::main;
    TileId id;
    std::string device;              ///< the kind that computed it
    std::vector<std::byte> payload;  ///< the partial's records
    /// What went into other files for it is there: it was brought to the disk before, or the
    /// machine that wrote it has not ended since.
    bool certain = false;
    std::string made_of;  ///< of a later phase: see PhaseJournal
};

/// The partials of stored tiles that are sorted by id: of several for one tile the first.
template <class Payload>
std::vector<TilePartial<Payload>> partials_of(const std::vector<StoredTile>& tiles) {
    std::vector<TilePartial<Payload>> partials;
    for (const StoredTile& tile : tiles) {
        if (!partials.empty() && partials.back().id == tile.id) continue;
        TilePartial<Payload> partial{tile.id, {}};
        partial.records.resize(tile.payload.size() / sizeof(Payload));
        if (!tile.payload.empty())
            std::memcpy(partial.records.data(), tile.payload.data(),
                        partial.records.size() * sizeof(Payload));
        partials.push_back(std::move(partial));
    }
    return partials;
}

/// The bytes of a tile journal. Each attempt of a run writes files of its own, one a rank, and
/// never touches those of earlier ones; rank 0 holds the folder's lock and all tiles of earlier
/// attempts. Throws Error (exit code 4) where the disk is full or fails: what was appended before
/// stays.
class TileFiles {
  public:
    /// Collective. Throws SharedError where another run holds the folder or has left another run's
    /// progress in it, and where OUT.h5 has appeared meanwhile.
    TileFiles(const mpi::Communicator& world, JournalRequest request);
    /// Removes the folder where no tile was ever finished.
    ~TileFiles();
    TileFiles(const TileFiles&) = delete;
    TileFiles& operator=(const TileFiles&) = delete;

    bool contains(TileId id) const { return known_.contains(id); }
    /// Tiles of earlier attempts, of all ranks.
    std::int64_t tiles_resumed() const { return static_cast<std::int64_t>(known_.size()); }
    /// Whether an earlier attempt has left the folder, if only with no tile in it.
    bool resumed() const { return resumed_; }
    /// What the user should know, one line each; on rank 0.
    std::vector<std::string> messages() const;
    /// Kinds of devices that computed the resumed tiles, "H200: 12 tiles; ..."; on rank 0.
    std::string resumed_devices() const;

    /// Path of a file beside the journal, for bulk data; on all ranks.
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    /// Of all the run's journals.
    io::JournalKey key() const { return request_.identity.key(); }
    /// Collective, before the first append(), where tiles have bulk data in other files. Forgets
    /// those whose data may have been lost with the machine that wrote them.
    void forget_uncertain();
    /// `before_sync` brings this rank's bulk data to the disk; called before its journal is. Before
    /// the first append().
    void sync_with(std::function<void()> before_sync) { before_sync_ = std::move(before_sync); }

    /// From one thread at a time. Returns when the tile would survive the end of this process. The
    /// attachment is bulk data that lies in the journal itself.
    void append_bytes(TileId id, io::Record payload, io::Record attachment = {},
                      RunPhase phase = RunPhase::main);
    /// Collective. Gives away the tiles of a later phase that earlier attempts have made of the
    /// same (PhaseJournal), on rank 0; by tile. `ids`: of all of them, on all ranks.
    std::vector<StoredTile> take_phase(RunPhase phase, const std::string& made_of,
                                       std::set<TileId>& ids);
    /// This rank appends nothing more. `to_disk`: returns when everything would survive the
    /// machine.
    void close(bool to_disk);

    /// On rank 0, when all ranks have closed: every tile's attachment, once each, in no order.
    /// Throws Error where one of the run's tiles is missing or a journal of this attempt is not
    /// whole.
    void read_attachments(const std::function<void(TileId, io::Record)>& receive) const;
    /// On rank 0, when all ranks have closed and the output is whole: the folder goes.
    void remove();

  protected:
    std::vector<StoredTile>
        stored_;  ///< by tile; of several for one tile the first counts; on rank 0
    std::vector<StoredTile> stored_later_;  ///< likewise, of later phases

  private:
    void open_folder();
    void share_known();
    void require_all(const std::set<std::int64_t>& tiles) const;

    const mpi::Communicator& world_;
    JournalRequest request_;
    std::string path_;
    std::unique_ptr<io::PartialFolder> folder_;  ///< on rank 0
    std::optional<RunAttempts> attempts_;        ///< on rank 0
    bool resumed_ = false;
    std::int64_t attempt_ = 0;
    std::set<TileId> known_;
    std::map<std::string, std::int64_t> resumed_devices_;  ///< on rank 0
    std::set<std::string> devices_, machines_;             ///< of this attempt; on rank 0
    std::function<void()> before_sync_;
    std::unique_ptr<io::JournalWriter> writer_;  ///< made with the first tile
};

/// The TileJournal of run_tiles: rank 0 restores all tiles of earlier attempts.
template <class Payload>
class DiskJournal : public TileFiles {
  public:
    using TileFiles::TileFiles;

    void append(const TilePartial<Payload>& partial, io::Record attachment = {}) {
        append_bytes(partial.id, std::as_bytes(std::span(partial.records)), attachment);
    }

    /// Hands them over: a second call has none.
    std::vector<TilePartial<Payload>> restored() {
        auto partials = partials_of<Payload>(stored_);
        stored_.clear();
        return partials;
    }
};

/// The TileJournal of run_tiles for a later phase of a run, in the same files. Its tiles may depend
/// on more than the run's input, as poses to be refined do on the device that sorted them: a tile
/// of an earlier attempt counts only where `made_of` was the same.
template <class Payload>
class PhaseJournal {
  public:
    /// Collective over the ranks of `files`, which must outlive it. The same `made_of` on all
    /// ranks.
    PhaseJournal(TileFiles& files, RunPhase phase, std::string made_of)
        : files_(files),
          phase_(phase),
          made_of_(std::move(made_of)),
          stored_(files_.take_phase(phase_, made_of_, known_)) {}

    bool contains(TileId id) const { return known_.contains(id); }
    std::int64_t tiles_resumed() const { return static_cast<std::int64_t>(known_.size()); }
    void append(const TilePartial<Payload>& partial) {
        files_.append_bytes(partial.id, std::as_bytes(std::span(partial.records)),
                            std::as_bytes(std::span(made_of_)), phase_);
    }
    /// On rank 0 all there are. Hands them over: a second call has none.
    std::vector<TilePartial<Payload>> restored() {
        auto partials = partials_of<Payload>(stored_);
        stored_.clear();
        return partials;
    }

  private:
    TileFiles& files_;
    RunPhase phase_;
    std::string made_of_;
    std::set<TileId> known_;
    std::vector<StoredTile> stored_;
};

/// Whether a workload has no number of tiles and counts its batches of evaluations.
inline bool counts_batches(const std::string& workload) {
    return workload == "fit" || workload == "sample";
}

/// How far an unfinished run is, as its folder tells.
struct RunProgress {
    io::RunIdentity identity;
    std::int64_t tiles_done = 0;     ///< or batches of evaluations: counts_batches()
    std::int64_t tiles_refined = 0;  ///< of poses, in a docking
    std::int64_t attempts = 0;
    std::int64_t ranks = 0;  ///< of the last attempt
    std::map<std::string, std::int64_t> devices;
    double age_seconds = 0;    ///< since the run was begun
    double quiet_seconds = 0;  ///< since something was written
    std::string holder;        ///< "process 123 on host" while it runs
};

/// Throws Error where the folder is not a run's. Safe while the run goes on.
RunProgress read_run_progress(const std::string& folder);

}  // namespace tessera
