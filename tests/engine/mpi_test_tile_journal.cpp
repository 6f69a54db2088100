// What a journal gives back to the run that goes on, on any number of ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/tile_journal_test.hpp"
#include "mpi/gather_by_tile.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
namespace fs = std::filesystem;

TEST_F(TileJournalTest, AnyNumberOfRanksGoesOnWithAnyOthers) {
    write(tiles - 1);
    for (int count = world.size(); count > 0; --count) {
        const Communicator some = world.split(world.rank() < count ? 0 : 1, world.rank());
        world.barrier();
        if (world.rank() >= count) continue;
        Journal journal(some, request());
        EXPECT_EQ(journal.tiles_resumed(), tiles - 1);
        EXPECT_TRUE(journal.contains({tiles - 2}));
        EXPECT_FALSE(journal.contains({tiles - 1}));
        const auto all = mpi::gather_by_tile(some, journal.restored(), tiles - 1);
        EXPECT_TRUE(journal.restored().empty());
        if (!some.is_root()) continue;
        ASSERT_EQ(all.size(), static_cast<std::size_t>(tiles - 1));
        for (const auto& partial : all) {
            const auto expected = partial_of(partial.id.value);
            EXPECT_TRUE(std::ranges::equal(partial.records, expected.records,
                                           [](const Sample& a, const Sample& b) {
                                               return a.tile == b.tile && a.value == b.value;
                                           }));
        }
        EXPECT_EQ(journal.messages().at(0), "goes on after 19 of 20 tiles done before");
        EXPECT_EQ(journal.messages().size(), 1u);
    }
}

TEST_F(TileJournalTest, ATornRecordIsComputedAnew) {
    write(tiles);
    change([&] {
        // Each rank's last tile is one of the last ones; tear the first rank's.
        const fs::path journal = partial() + "/tiles-1-0";
        fs::resize_file(journal, fs::file_size(journal) - 3);
    });
    const std::int64_t torn = (tiles - 1) / world.size() * world.size();
    {
        Journal journal(world, request());
        EXPECT_EQ(journal.tiles_resumed(), tiles - 1);
        EXPECT_FALSE(journal.contains({torn}));
        if (world.rank() == world.size() - 1) journal.append(partial_of(torn));
        journal.close(true);
    }
    world.barrier();
    Journal journal(world, request());
    EXPECT_EQ(journal.tiles_resumed(), tiles);
}

TEST_F(TileJournalTest, OfTwoRecordsForATileTheFirstCounts) {
    write(tiles);
    write(tiles, 2);
    Journal journal(world, request());
    EXPECT_EQ(journal.tiles_resumed(), tiles);
    const auto all = mpi::gather_by_tile(world, journal.restored(), tiles);
    for (const auto& partial : all)
        for (const Sample& sample : partial.records)
            EXPECT_EQ(sample.value, static_cast<double>(partial.id.value) + 0.25);
}

TEST_F(TileJournalTest, AttachmentsComeBackOnce) {
    const auto text_of = [](std::int64_t id) {
        return std::string(static_cast<std::size_t>(id), 'x');
    };
    for (int attempt = 0; attempt < 2; ++attempt) {
        Journal journal(world, request());
        for (std::int64_t id = world.rank(); id < tiles; id += world.size()) {
            const std::string text = text_of(id);
            journal.append(partial_of(id), std::as_bytes(std::span(text)));
        }
        journal.close(false);
        world.barrier();
        std::vector<std::int64_t> seen;
        if (world.is_root())
            journal.read_attachments([&](TileId id, io::Record bytes) {
                seen.push_back(id.value);
                EXPECT_EQ(bytes.size(), text_of(id.value).size());
            });
        std::ranges::sort(seen);
        EXPECT_EQ(seen.size(), world.is_root() ? tiles : 0u);
        EXPECT_TRUE(std::ranges::adjacent_find(seen) == seen.end());
        world.barrier();
    }
}

TEST_F(TileJournalTest, WhatItsMachineMayHaveTakenAlongIsForgotten) {
    JournalRequest before = request();
    before.machine = "started on Monday";
    const auto append_all = [&](Journal& journal, bool to_disk) {
        for (std::int64_t id = world.rank(); id < tiles; id += world.size())
            if (!journal.contains({id})) journal.append(partial_of(id));
        journal.close(to_disk);
    };
    {
        Journal journal(world, before);
        if (world.is_root()) journal.append(partial_of(4));
        journal.close(true);
    }
    world.barrier();
    {
        Journal journal(world, before);
        append_all(journal, false);
    }
    world.barrier();
    for (const char* start : {"started on Monday", "started on Tuesday"}) {
        JournalRequest now = request();
        now.machine = start;
        Journal journal(world, now);
        EXPECT_EQ(journal.tiles_resumed(), tiles);
        journal.forget_uncertain();
        const bool same = now.machine == before.machine;
        EXPECT_EQ(journal.tiles_resumed(), same ? tiles : 1);
        EXPECT_TRUE(journal.contains({4})) << "it had been brought to the disk";
        const auto mine = journal.restored();
        EXPECT_EQ(mine.size(), world.is_root() ? static_cast<std::size_t>(same ? tiles : 1) : 0u);
        world.barrier();
    }
}

TEST_F(TileJournalTest, ALaterPhaseHasTilesOfItsOwn) {
    using Later = PhaseJournal<Sample>;
    {
        Journal journal(world, request());
        Later later(journal, RunPhase::refinement, "these poses");
        EXPECT_EQ(later.tiles_resumed(), 0);
        for (std::int64_t id = world.rank(); id < 7; id += world.size())
            later.append(partial_of(id, 3));
        journal.append(partial_of(world.rank()));
    }
    world.barrier();
    for (const std::string made_of : {"other poses", "these poses"}) {
        Journal journal(world, request());
        EXPECT_EQ(journal.tiles_resumed(), world.size()) << "its tiles are not the search's";
        Later later(journal, RunPhase::refinement, made_of);
        const std::int64_t known = made_of == "these poses" ? 7 : 0;
        EXPECT_EQ(later.tiles_resumed(), known);
        EXPECT_EQ(later.contains({6}), known > 0);
        EXPECT_FALSE(later.contains({7}));
        const auto all = mpi::gather_by_tile(world, later.restored(), known);
        EXPECT_EQ(all.size(), world.is_root() ? static_cast<std::size_t>(known) : 0u);
        for (const auto& partial : all)
            for (const Sample& sample : partial.records)
                EXPECT_EQ(sample.value, 3 * (static_cast<double>(partial.id.value) + 0.25));
        EXPECT_TRUE(later.restored().empty());
        world.barrier();
    }
    change([&] {
        const RunProgress progress = read_run_progress(partial());
        EXPECT_EQ(progress.tiles_done, world.size());
        EXPECT_EQ(progress.tiles_refined, 7);
    });
}

TEST_F(TileJournalTest, TwoLaterPhasesAreToldApartByWhatTheyAreMadeOf) {
    using Later = PhaseJournal<Sample>;
    const auto tiles_of = [](const std::string& made_of) { return made_of == "rings" ? 5 : 3; };
    for (const bool resumes : {false, true}) {
        Journal journal(world, request());
        for (const std::string made_of : {"rings", "assemblies"}) {
            Later later(journal, RunPhase::refinement, made_of);
            EXPECT_EQ(later.tiles_resumed(), resumes ? tiles_of(made_of) : 0) << made_of;
            for (std::int64_t id = world.rank(); !resumes && id < tiles_of(made_of);
                 id += world.size())
                later.append(partial_of(id, 3));
        }
        world.barrier();
    }
}

TEST_F(TileJournalTest, OtherDevicesAreRecordedAndTold) {
    write(tiles);
    JournalRequest other = request();
    other.device = "GPU";
    const Journal journal(world, other);
    EXPECT_EQ(journal.tiles_resumed(), tiles);
    if (!world.is_root()) return;
    EXPECT_EQ(journal.resumed_devices(), "CPU: 20 tiles");
    EXPECT_NE(journal.messages().at(1).find("another kind of device"), std::string::npos);
}

TEST_F(TileJournalTest, ADeviceOfALongNameIsKnownAgain) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        JournalRequest named = request();
        named.device = "Processor (" + std::string(300, 'x') + "\t, FFTW)";
        Journal journal(world, named);
        if (world.is_root() && attempt == 0) journal.append(partial_of(0));
        EXPECT_EQ(journal.messages().size(), attempt == 1 ? 1u : 0u) << "no other kind of device";
        journal.close(true);
        world.barrier();
    }
}

TEST_F(TileJournalTest, ProgressCanBeReadWhileItRunsAndAfterwards) {
    {
        Journal journal(world, request());
        for (std::int64_t id = world.rank(); id < 11; id += world.size())
            journal.append(partial_of(id));
        change([&] {
            const RunProgress progress = read_run_progress(partial());
            EXPECT_EQ(progress.tiles_done, 11);
            EXPECT_NE(progress.holder.find("process"), std::string::npos);
        });
    }
    change([&] {
        const RunProgress progress = read_run_progress(partial());
        EXPECT_EQ(progress.identity.workload, "dock");
        EXPECT_EQ(progress.identity.tiles_total, tiles);
        EXPECT_EQ(progress.tiles_done, 11);
        EXPECT_EQ(progress.attempts, 1);
        EXPECT_EQ(progress.ranks, world.size());
        EXPECT_EQ(progress.devices.at("CPU"), 11);
        EXPECT_EQ(progress.holder, "");
        EXPECT_LT(progress.age_seconds, 60);
        EXPECT_THROW(read_run_progress(output), Error);
    });
    Journal journal(world, request());
    journal.close(true);
    world.barrier();
    journal.remove();
    change([&] { EXPECT_FALSE(fs::exists(partial())); });
}

}  // namespace
