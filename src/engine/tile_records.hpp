// The records of finished tiles in a run's folder: which journals there are, and what stands in
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/tile.hpp"
#include "io/journal/journal_reader.hpp"
#include "io/journal/partial_folder.hpp"

namespace tessera {

/// Which of a run's tiles: those that its progress is counted in, or, in docking, those of poses
/// that are refined when the former are done.
enum class RunPhase : std::uint64_t { main, refinement };

/// What a record begins with. The first record of every journal has no tile but, as its payload,
/// the kind of device that computed the others, and as its attachment the machine.
struct TileHeader {
    static constexpr std::int64_t origin = -1;
    std::int64_t id = 0;
    std::uint64_t payload_bytes = 0;
    RunPhase phase = RunPhase::main;
};

/// A kind of device or a machine as journals keep it: one line, not too long.
std::string kept_name(const std::string& name);

/// Of kinds of devices: "NVIDIA H200: 12 tiles; Intel Xeon: 1 tile".
std::string counts_text(const std::map<std::string, std::int64_t>& counts);

/// Whose tiles the rest of a journal has.
struct Origin {
    std::string device, machine;
};

/// A record taken apart; the views live as long as the record.
struct TileEntry {
    TileHeader header;
    io::Record payload, attachment;
    bool synced = false;
};

/// Path of the journal of a rank in an attempt.
std::string tile_journal_path(const std::string& folder, std::int64_t attempt, std::int64_t rank);

/// The attempts of a run so far. Their journals are found by these numbers, never by listing the
/// folder: network file systems show listings that are seconds old.
class RunAttempts {
  public:
    RunAttempts(std::string folder, const io::RunIdentity& identity);

    std::int64_t last() const { return static_cast<std::int64_t>(ranks_.size()); }
    /// Of the last attempt; 0 before the first.
    std::int64_t ranks() const { return ranks_.empty() ? 0 : ranks_.back(); }
    /// Begins an attempt of so many ranks; its number is on the disk when this returns. Throws
    /// Error if a journal of this attempt is there already: the list of attempts is incomplete
    /// then, and what else the folder holds must not be overwritten.
    void begin(std::int64_t ranks);

    bool any_journal() const;
    void remove_journals() const;

    /// Every tile of every journal, of all phases, in the order in which they count. Throws Error
    /// where a journal cannot be read or belongs to another run, and where one of the attempt
    /// `whole` ends with a torn or damaged record.
    void read_tiles(const std::function<void(const Origin&, const TileEntry&)>& receive,
                    std::int64_t whole = 0) const;

  private:
    void require_new(std::int64_t attempt, std::int64_t ranks) const;
    void read_journal(std::int64_t attempt, std::int64_t rank, bool whole,
                      const std::function<void(const Origin&, const TileEntry&)>& receive) const;
    template <class Visit>
    void each_journal(const Visit& visit) const;

    std::string folder_;
    io::JournalKey key_;
    std::int64_t tiles_total_;
    std::vector<std::int64_t> ranks_;  ///< of each attempt
};

}  // namespace tessera
