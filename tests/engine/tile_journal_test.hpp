// Journals of a run of 20 tiles, in a folder that all ranks know.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "engine/tile_journal.hpp"
#include "engine/tile_records.hpp"
#include "io/temporary_folder.hpp"

namespace tessera::test {

using mpi::Communicator;

/// A payload with room for mistakes: no zero bytes by accident.
struct Sample {
    std::int64_t tile = 0;
    double value = 0;
};

constexpr std::int64_t tiles = 20;
using Journal = DiskJournal<Sample>;

/// Tile 7 found nothing, as tiles may.
inline TilePartial<Sample> partial_of(std::int64_t id, double factor = 1) {
    TilePartial<Sample> partial{{id}, {}};
    for (std::int64_t k = 0; id != 7 && k <= id % 3; ++k)
        partial.records.push_back({id, factor * (static_cast<double>(id) + 0.25)});
    return partial;
}

/// Every rank has the path of one folder, which rank 0 makes and removes.
class TileJournalTest : public testing::Test {
  protected:
    TileJournalTest() {
        if (world.is_root()) folder.emplace();
        output = folder ? *folder / "run.h5" : "";
        world.broadcast(output);
    }
    ~TileJournalTest() override { world.barrier(); }

    JournalRequest request(const std::string& input = "aa", bool force = false) const {
        return {output, {"dock", input, "1.0 abc", tiles}, "CPU", force};
    }
    std::string partial() const { return output + ".partial"; }

    /// Of the tiles [0, count) each rank of `ranks` appends its share.
    void write(std::int64_t count, double factor = 1) const {
        {
            Journal journal(world, request());
            for (std::int64_t id = world.rank(); id < count; id += world.size())
                journal.append(partial_of(id, factor));
        }
        world.barrier();
    }

    /// Changes rank 0 makes to the folder while nobody has it open.
    template <class Change>
    void change(Change&& change) const {
        world.barrier();
        if (world.is_root()) change();
        world.barrier();
    }

    Communicator world = Communicator::world();
    std::optional<TemporaryFolder> folder;
    std::string output;
};

}  // namespace tessera::test
