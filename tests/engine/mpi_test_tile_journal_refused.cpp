// Journals that are damaged or belong to another run.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/tile_journal_test.hpp"
#include "support/message_of.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
namespace fs = std::filesystem;

TEST_F(TileJournalTest, AResultIsRefusedWhereATileHasLeftItsJournal) {
    const auto damages = {
        +[](const fs::path& file) { fs::remove(file); },
        +[](const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 3); },
        +[](const fs::path& file) { fs::resize_file(file, 20); }};
    for (const auto& damage : damages) {
        Journal journal(world, request("aa", true));
        for (std::int64_t id = world.rank(); id < tiles; id += world.size())
            journal.append(partial_of(id));
        journal.close(false);
        change([&] {
            int received = 0;
            const auto read = [&] {
                received = 0;
                journal.read_attachments([&](TileId, io::Record) { ++received; });
            };
            read();
            EXPECT_EQ(received, tiles);
            damage(partial() + "/tiles-1-0");
            EXPECT_THROW(read(), Error);
        });
    }
}

TEST_F(TileJournalTest, AnotherRunsJournalIsRefused) {
    write(tiles / 2);
    change([&] { fs::copy_file(partial() + "/tiles-1-0", output + ".kept"); });
    {
        Journal forced(world, request("bb", true));
        for (std::int64_t id = world.rank(); id < tiles / 2; id += world.size())
            forced.append(partial_of(id, 2));
    }
    change([&] {
        fs::copy_file(output + ".kept", partial() + "/tiles-1-0",
                      fs::copy_options::overwrite_existing);
        EXPECT_NE(message_of([&] { read_run_progress(partial()); }).find("another run"),
                  std::string::npos);
    });
    EXPECT_NE(message_of([&] { Journal(world, request("bb")); }).find("another run"),
              std::string::npos);
}

TEST_F(TileJournalTest, AnAttemptOfNoPossibleNumberOfRanksIsRefused) {
    write(tiles / 2);
    for (const std::int64_t ranks : {std::int64_t{0}, std::int64_t{1} << 40}) {
        change([&] {
            fs::remove(partial() + "/attempts");
            io::JournalWriter(partial() + "/attempts", request().identity.key())
                .append(std::as_bytes(std::span(&ranks, 1)));
        });
        EXPECT_NE(message_of([&] { Journal(world, request()); }).find("record of it is damaged"),
                  std::string::npos);
    }
}

TEST_F(TileJournalTest, AnAttemptThatTheListLacksIsNotOverwritten) {
    write(tiles / 2);
    change([&] {
        fs::remove(partial() + "/attempts");
        const auto size = fs::file_size(partial() + "/tiles-1-0");
        for (int again = 0; again < 2; ++again)
            EXPECT_THROW(RunAttempts(partial(), request().identity).begin(world.size()), Error);
        EXPECT_FALSE(fs::exists(partial() + "/attempts"));
        EXPECT_EQ(fs::file_size(partial() + "/tiles-1-0"), size);
    });
    EXPECT_NE(message_of([&] { Journal(world, request()); }).find("does not know the attempt"),
              std::string::npos);
}

TEST_F(TileJournalTest, AnotherNumberOfTilesIsAnotherRun) {
    write(tiles - 1);
    JournalRequest other = request();
    other.identity.tiles_total = tiles + 1;
    EXPECT_NE(message_of([&] { Journal(world, other); }).find("that run has 20 tiles"),
              std::string::npos);
}

TEST_F(TileJournalTest, AnotherInputIsRefusedByAllRanksUnlessForced) {
    write(tiles);
    world.barrier();
    EXPECT_NE(message_of([&] { Journal(world, request("bb")); }).find("--force"),
              std::string::npos);
    world.barrier();
    {
        const Journal forced(world, request("bb", true));
        EXPECT_EQ(forced.tiles_resumed(), 0);
        EXPECT_FALSE(forced.contains({0}));
    }
    change([&] { EXPECT_FALSE(fs::exists(partial())) << "nothing was kept in it"; });
}

TEST_F(TileJournalTest, ARunThatHasJustBeenFinishedIsNotBegunAgain) {
    change([&] { std::ofstream(output) << "whole"; });
    EXPECT_NE(message_of([&] { Journal(world, request()); }).find("exists already"),
              std::string::npos);
    change([&] { EXPECT_FALSE(fs::exists(partial())); });
}

}  // namespace
