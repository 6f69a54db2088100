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

#include "core/error.hpp"
#include "io/journal/folder_lock.hpp"
#include "io/journal/journal.hpp"
#include "io/journal/partial_folder.hpp"
#include "temporary_folder.hpp"

namespace tessera::io {

namespace {

using Texts = std::vector<std::string>;

constexpr JournalKey key{0x7e55e7a};

Record bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

Texts texts_in(const std::string& path) {
    Texts texts;
    read_journal(path, key, [&](Record record, bool) {
        texts.emplace_back(reinterpret_cast<const char*>(record.data()), record.size());
    });
    return texts;
}

std::string whole(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void replace(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}

void append_all(const std::string& path, const Texts& texts) {
    JournalWriter writer(path, key);
    for (const auto& text : texts) writer.append(bytes_of(text));
}

const RunIdentity identity{"fit", "aa", "1.0 abc"};
constexpr auto at_once = std::chrono::milliseconds(0);

std::string message_of(auto&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

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

TEST(PartialFolder, GoesOnWithTheSameRunAndIsRemovedWhenWhole) {
    const test::TemporaryFolder folder;
    const std::string output = folder / "out.h5";
    {
        const PartialFolder first(output, identity, false, at_once);
        EXPECT_FALSE(first.resumed());
        append_all(first.file("journal"), {"progress"});
    }
    PartialFolder second(output, identity, false, at_once);
    EXPECT_TRUE(second.resumed());
    EXPECT_EQ(texts_in(second.file("journal")), Texts{"progress"});
    second.remove();
    EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
}

TEST(PartialFolder, AnotherInputOrBuildIsRefusedUnlessForced) {
    const test::TemporaryFolder folder;
    const std::string output = folder / "out.h5";
    { append_all(PartialFolder(output, identity, false, at_once).file("journal"), {"progress"}); }
    RunIdentity other = identity;
    other.input_sha256 = "bb";
    const auto open = [&](bool force) {
        return PartialFolder(output, other, force, at_once).resumed();
    };
    EXPECT_NE(message_of([&] { open(false); }).find("--force"), std::string::npos);
    other = identity;
    other.build = "1.0 def";
    EXPECT_NE(message_of([&] { open(false); }).find("1.0 abc"), std::string::npos);
    EXPECT_EQ(texts_in(output + ".partial/journal"), Texts{"progress"});
    EXPECT_FALSE(open(true));
    EXPECT_FALSE(std::filesystem::exists(output + ".partial/journal"));
    EXPECT_EQ(read_run_identity(output + ".partial").build, "1.0 def");
}

TEST(PartialFolder, IsRemovedOnceNotTheNextRunsToo) {
    const test::TemporaryFolder folder;
    const std::string output = folder / "out.h5";
    PartialFolder first(output, identity, false, at_once);
    first.remove();
    EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
    const PartialFolder next(output, identity, false, at_once);
    append_all(next.file("journal"), {"progress"});
    first.remove();
    EXPECT_EQ(texts_in(next.file("journal")), Texts{"progress"});
    EXPECT_NE(holder_of(output + ".partial"), "");
}

TEST(PartialFolder, ASecondRunIsToldWhoHoldsIt) {
    const test::TemporaryFolder folder;
    const PartialFolder first(folder / "out.h5", identity, false, at_once);
    const std::string message = message_of(
        [&] { PartialFolder(folder / "out.h5", identity, true, std::chrono::milliseconds(120)); });
    EXPECT_NE(message.find("held by process " + std::to_string(getpid())), std::string::npos)
        << message;
}

TEST(PartialFolder, ASecondRunThatIsToStopDoesNotWait) {
    const test::TemporaryFolder folder;
    const PartialFolder first(folder / "out.h5", identity, false, at_once);
    const std::atomic<bool> stop{true};
    try {
        PartialFolder(folder / "out.h5", identity, false, std::chrono::minutes(10), &stop);
        FAIL() << "took a folder that is held";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::requeue) << error.what();
    }
    // One that finds it free goes on to where it would stop.
    PartialFolder(folder / "other.h5", identity, false, at_once, &stop);
}

TEST(PartialFolder, WhoHoldsItCanBeAskedAndHowLongToWaitBeSet) {
    const test::TemporaryFolder folder;
    const std::string output = folder / "out.h5";
    EXPECT_EQ(holder_of(output + ".partial"), "");
    {
        const PartialFolder first(output, identity, false, at_once);
        EXPECT_EQ(holder_of(output + ".partial").find("process " + std::to_string(getpid())), 0u);
    }
    EXPECT_EQ(holder_of(output + ".partial"), "");
    for (const auto& [text, wait] : {std::pair{"0.25", 250}, {"nonsense", 10000}, {"-1", 10000}}) {
        setenv("TESSERA_LOCK_PATIENCE", text, 1);
        EXPECT_EQ(lock_patience(), std::chrono::milliseconds(wait)) << text;
    }
    unsetenv("TESSERA_LOCK_PATIENCE");
    EXPECT_EQ(lock_patience(), std::chrono::seconds(10));
}

TEST(PartialFolder, AnotherNumberOfTilesIsAnotherRun) {
    const test::TemporaryFolder folder;
    const std::string output = folder / "out.h5";
    RunIdentity counted = identity;
    counted.tiles_total = 292;
    { const PartialFolder first(output, counted, false, at_once); }
    EXPECT_EQ(read_run_identity(output + ".partial").tiles_total, 292);
    EXPECT_TRUE(PartialFolder(output, counted, false, at_once).resumed());
    EXPECT_THROW(PartialFolder(output, identity, false, at_once), Error);
}

TEST(PartialFolder, TheLockDiesWithItsHolder) {
    const test::TemporaryFolder folder;
    const std::string output = folder / "out.h5";
    const pid_t child = fork();
    if (child == 0) {
        const PartialFolder held(output, identity, false, at_once);
        JournalWriter writer(held.file("journal"), key);
        writer.append(bytes_of("from a process that was killed"));
        kill(getpid(), SIGKILL);
    }
    ASSERT_GT(child, 0);
    int status = 0;
    waitpid(child, &status, 0);
    const PartialFolder next(output, identity, false, at_once);
    EXPECT_TRUE(next.resumed());
    EXPECT_EQ(texts_in(next.file("journal")), Texts{"from a process that was killed"});
}

TEST(PartialFolder, AFolderThatIsNotOursIsLeftAlone) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "out.h5.partial");
    replace(folder / "out.h5.partial/run", "of the user");
    EXPECT_NE(message_of([&] {
                  PartialFolder(folder / "out.h5", identity, false, at_once);
              }).find("not a run of tessera"),
              std::string::npos);
    EXPECT_EQ(whole(folder / "out.h5.partial/run"), "of the user");
    std::filesystem::rename(folder / "out.h5.partial/run", folder / "out.h5.partial/thesis");
    EXPECT_NE(message_of([&] {
                  PartialFolder(folder / "out.h5", identity, true, at_once);
              }).find("thesis"),
              std::string::npos);
    EXPECT_EQ(whole(folder / "out.h5.partial/thesis"), "of the user");
}

}  // namespace tessera::io
