#include "io/files/file_stamp.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "temporary_folder.hpp"

namespace tessera::io {
namespace {

namespace fs = std::filesystem;

/// Longer than a tick of the clock of a file system.
void wait_a_tick() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

TEST(FileStamp, StaysWhileTheFileIsOnlyRead) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a") << "12345";
    const auto before = file_status(folder / "a");
    ASSERT_TRUE(before);
    EXPECT_EQ(before->stamp.bytes, 5U);
    wait_a_tick();
    std::string text;
    std::ifstream(folder / "a") >> text;
    EXPECT_EQ(file_status(folder / "a")->stamp, before->stamp);
    EXPECT_FALSE(file_status(folder / "b"));
}

TEST(FileStamp, SeesOtherBytesWithTheSameSizeAndTime) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a") << "12345";
    const auto before = file_status(folder / "a");
    const auto time = fs::last_write_time(folder / "a");
    wait_a_tick();
    std::ofstream(folder / "a") << "54321";
    fs::last_write_time(folder / "a", time);
    const auto after = file_status(folder / "a");
    EXPECT_EQ(after->stamp.modified, before->stamp.modified);
    EXPECT_NE(after->stamp, before->stamp);
}

TEST(FileStamp, SeesAFileThatWasReplaced) {
    const test::TemporaryFolder folder;
    for (const char* name : {"a", "b"}) std::ofstream(folder / name) << "12345";
    const auto before = file_status(folder / "a");
    fs::rename(folder / "b", folder / "a");
    EXPECT_NE(file_status(folder / "a")->stamp, before->stamp);
}

TEST(FileStamp, TwoNamesOfOneFile) {
    const test::TemporaryFolder folder;
    for (const char* name : {"a", "b"}) std::ofstream(folder / name) << "12345";
    fs::create_hard_link(folder / "a", folder / "c");
    fs::create_symlink(folder / "a", folder / "d");
    const auto a = file_status(folder / "a");
    EXPECT_TRUE(a->same_file(*file_status(folder / "c")));
    EXPECT_TRUE(a->same_file(*file_status(folder / "d")));
    EXPECT_FALSE(a->same_file(*file_status(folder / "b")));
}

TEST(FileStamp, IsSettledTwoSecondsAfterTheLastChange) {
    constexpr std::int64_t second = 1'000'000'000;
    FileStamp stamp{1, 2, 10 * second, 20 * second};
    EXPECT_FALSE(stamp.is_settled(19 * second));
    EXPECT_FALSE(stamp.is_settled(22 * second));
    EXPECT_TRUE(stamp.is_settled(22 * second + 1));
    stamp.modified = 30 * second;  // someone has set the time
    EXPECT_FALSE(stamp.is_settled(31 * second));
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a") << "12345";
    EXPECT_FALSE(file_status(folder / "a")->stamp.is_settled(nanoseconds_now()));
}

}  // namespace
}  // namespace tessera::io
