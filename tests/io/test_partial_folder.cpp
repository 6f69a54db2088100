#include "io/journal/partial_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "io/journal/folder_lock.hpp"
#include "journal_texts.hpp"
#include "support/message_of.hpp"
#include "temporary_folder.hpp"

namespace tessera::io {

namespace {

namespace fs = std::filesystem;

using test::message_of;

const RunIdentity identity{"fit", "aa", "1.0 abc"};
constexpr auto at_once = std::chrono::milliseconds(0);

void write(const std::string& path) { std::ofstream(path) << "text"; }

}  // namespace

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

TEST(PartialFolder, WhatAFinishedRunHasLeftIsRemoved) {
    const test::TemporaryFolder folder;
    const std::string output = folder / "out.h5", left = output + ".partial";
    const auto leave = [&] {
        append_all(PartialFolder(output, identity, false, at_once).file("journal"), {"progress"});
    };
    leave();
    remove_finished_folder(output);
    EXPECT_TRUE(fs::exists(left)) << "there is no finished file";
    write(output);
    fs::last_write_time(output, fs::last_write_time(left + "/run") - std::chrono::seconds(1));
    remove_finished_folder(output);
    EXPECT_TRUE(fs::exists(left)) << "a later run has begun";
    fs::last_write_time(output, fs::last_write_time(left + "/run") + std::chrono::seconds(1));
    {
        const PartialFolder held(output, identity, false, at_once);
        remove_finished_folder(output);
        EXPECT_TRUE(fs::exists(left + "/journal")) << "a process holds it";
    }
    remove_finished_folder(output);
    EXPECT_FALSE(fs::exists(left));
    fs::create_directory(left);
    write(left + "/lock");
    remove_finished_folder(output);
    EXPECT_FALSE(fs::exists(left)) << "only the lock was left";
    remove_finished_folder(output);
    EXPECT_FALSE(fs::exists(left)) << "there was nothing";
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
