#include "io/journal/journal.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "journal_texts.hpp"
#include "temporary_folder.hpp"

namespace tessera::io {

TEST(Journal, RecordsComeBackInOrderAndWritersGoOn) {
    const test::TemporaryFolder folder;
    const JournalReading none = read_journal(folder / "none", key, [](Record, bool) { FAIL(); });
    EXPECT_EQ(none.bytes, 0u);
    EXPECT_EQ(none.end, JournalEnd::absent);
    append_all(folder / "j", {"one", "", std::string(100000, 'x')});
    append_all(folder / "j", {"four"});
    EXPECT_EQ(texts_in(folder / "j"), (Texts{"one", "", std::string(100000, 'x'), "four"}));
    const JournalReading all = read_journal(folder / "j", key, [](Record, bool) {});
    EXPECT_EQ(all.bytes, std::filesystem::file_size(folder / "j"));
    EXPECT_EQ(all.end, JournalEnd::whole);
}

TEST(Journal, ATornLastRecordIsDroppedWhereverItIsTorn) {
    const test::TemporaryFolder folder;
    append_all(folder / "j", {"first"});
    const std::size_t kept = whole(folder / "j").size();
    append_all(folder / "j", {"second"});
    const std::string all = whole(folder / "j");
    for (std::size_t length = 0; length < all.size(); ++length) {
        replace(folder / "torn", all.substr(0, length));
        append_all(folder / "torn", {"new"});
        EXPECT_EQ(texts_in(folder / "torn"),
                  length >= kept ? (Texts{"first", "new"}) : Texts{"new"})
            << "cut at " << length;
    }
}

TEST(Journal, NothingCountsFromADamagedRecordOn) {
    const test::TemporaryFolder folder;
    append_all(folder / "j", {"first", "second", "third"});
    const std::string all = whole(folder / "j");
    const std::size_t second = all.find("second");
    for (std::size_t at = all.find("first") + 5; at < second + 6; ++at) {
        std::string damaged = all;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        replace(folder / "damaged", damaged);
        EXPECT_EQ(texts_in(folder / "damaged"), Texts{"first"}) << "byte " << at;
    }
}

TEST(Journal, ARecordInAnotherPlaceDoesNotCount) {
    const test::TemporaryFolder folder;
    append_all(folder / "j", {"aaaa", "bbbb"});
    std::string all = whole(folder / "j");
    const std::size_t frame = 16, first = all.find("aaaa") - frame;
    const std::string a = all.substr(first, frame + 4), b = all.substr(first + frame + 4);
    replace(folder / "swapped", all.substr(0, first) + b + a);
    EXPECT_EQ(texts_in(folder / "swapped"), Texts{});
}

TEST(Journal, PiecesMakeOneRecord) {
    const test::TemporaryFolder folder;
    {
        JournalWriter writer(folder / "j", key);
        const std::string head = "head", none, tail = "tail";
        const std::array pieces{bytes_of(head), bytes_of(none), bytes_of(tail)};
        writer.append(pieces);
        writer.append(bytes_of(tail));
    }
    EXPECT_EQ(texts_in(folder / "j"), (Texts{"headtail", "tail"}));
}

TEST(Journal, TellsWhatHadBeenBroughtToTheDisk) {
    const test::TemporaryFolder folder;
    const auto synced = [&] {
        std::vector<bool> found;
        read_journal(folder / "j", key, [&](Record, bool on_disk) { found.push_back(on_disk); });
        return found;
    };
    int syncs = 0;
    const std::string text = "record";
    {
        JournalWriter writer(folder / "j", key, JournalStart::go_on, [&] { ++syncs; });
        writer.append(bytes_of(text));
        EXPECT_EQ(synced(), std::vector{false});
        writer.sync();
        writer.sync();  // nothing new
        EXPECT_EQ(syncs, 1);
        writer.append(bytes_of(text));
        EXPECT_EQ(synced(), (std::vector{true, false}));
        writer.close(false);
    }
    EXPECT_EQ(synced(), (std::vector{true, false}));
    { JournalWriter(folder / "j", key).append(bytes_of(text)); }
    EXPECT_EQ(synced(), (std::vector{true, true, true}));
    std::string all = whole(folder / "j");
    all[24] = static_cast<char>(all[24] ^ 1);  // a torn mark says nothing
    replace(folder / "j", all);
    EXPECT_EQ(synced(), (std::vector{false, false, false}));
}

TEST(Journal, TellsWhetherItEndsWithAWholeRecord) {
    const test::TemporaryFolder folder;
    append_all(folder / "j", {"first", "second"});
    const auto end = [&] { return read_journal(folder / "j", key, [](Record, bool) {}).end; };
    EXPECT_EQ(end(), JournalEnd::whole);
    const std::string all = whole(folder / "j");
    for (const std::size_t cut : {all.size() - 1, all.size() - 6 - 10, std::size_t{40}}) {
        replace(folder / "j", all.substr(0, cut));
        EXPECT_EQ(end(), JournalEnd::torn) << "cut at " << cut;
    }
}

TEST(Journal, WhatIsThereAndCannotBeReadIsAnErrorAndNotTheEnd) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "directory");
    append_all(folder / "j", {"first"});
    std::filesystem::create_symlink(folder / "j", folder / "link");
    for (const char* name : {"directory", "link"}) {
        EXPECT_THROW(read_journal(folder / name, key, [](Record, bool) {}), JournalError) << name;
        EXPECT_THROW(JournalWriter(folder / name, key), JournalError) << name;
    }
    EXPECT_EQ(texts_in(folder / "j"), Texts{"first"});
}

TEST(Journal, AnotherRunsRecordsAreRefused) {
    const test::TemporaryFolder folder;
    constexpr JournalKey other{key.value + 1};
    append_all(folder / "j", {"first"});
    EXPECT_THROW(read_journal(folder / "j", other, [](Record, bool) {}), Error);
    EXPECT_THROW(JournalWriter(folder / "j", other), Error);
    EXPECT_EQ(texts_in(folder / "j"), Texts{"first"});
    // Not even where they stand behind the head of the right run.
    { JournalWriter(folder / "mine", other); }
    const std::string mine = whole(folder / "mine"), theirs = whole(folder / "j");
    replace(folder / "mine", mine + theirs.substr(mine.size()));
    int received = 0;
    const auto reading = read_journal(folder / "mine", other, [&](Record, bool) { ++received; });
    EXPECT_EQ(received, 0);
    EXPECT_EQ(reading.end, JournalEnd::torn);
}

TEST(Journal, ANewOneTakesNoOthersPlace) {
    const test::TemporaryFolder folder;
    append_all(folder / "j", {"first"});
    EXPECT_THROW(JournalWriter(folder / "j", key, JournalStart::anew), JournalError);
    EXPECT_EQ(texts_in(folder / "j"), Texts{"first"});
}

TEST(Journal, AFullDiskIsToldAndWhatWasThereStays) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "j";
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit { 4096, 4096 };
        setrlimit(RLIMIT_FSIZE, &limit);
        signal(SIGXFSZ, SIG_IGN);
        int records = 0;
        try {
            JournalWriter writer(path, key);
            for (const std::string text(1000, 'x'); records < 10; ++records)
                writer.append(bytes_of(text));
        } catch (const Error& error) {
            const bool told = std::string(error.what()).find("journal") != std::string::npos;
            _exit(told && error.code() == ExitCode::resources ? records : 100);
        }
        _exit(101);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 3);  // as many as fit 4096 bytes
    EXPECT_EQ(texts_in(path), Texts(3, std::string(1000, 'x')));
}

}  // namespace tessera::io
