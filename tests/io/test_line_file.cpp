#include "io/files/line_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "core/error.hpp"
#include "temporary_folder.hpp"

namespace {
std::atomic<int> syncs{0};
}

/// Takes the place of the C library's function, and counts.
extern "C" int fdatasync(int file) {
    ++syncs;
    return static_cast<int>(::syscall(SYS_fdatasync, file));
}

namespace tessera::io {
namespace {

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(LineFile, ALineIsThereAtOnce) {
    const test::TemporaryFolder folder;
    syncs = 0;
    std::ofstream(folder / "a.csv") << "name\n";
    LineFile file(folder / "a.csv");
    file.append("one");
    EXPECT_EQ(text_of(folder / "a.csv"), "name\none\n");
    file.append("two");
    EXPECT_EQ(text_of(folder / "a.csv"), "name\none\ntwo\n");
    EXPECT_EQ(syncs, 0);  // not before a minute
    file.close();
    EXPECT_EQ(syncs, 1);
}

TEST(LineFile, NewLinesAreBroughtToTheDiskInTime) {
    const test::TemporaryFolder folder;
    syncs = 0;
    std::ofstream(folder / "a.csv") << "name\n";
    LineFile file(folder / "a.csv", std::chrono::milliseconds(20));
    file.append("one");
    for (int turn = 0; turn < 500 && syncs == 0; ++turn)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(syncs, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(syncs, 1);  // nothing is new
}

std::string line_of(int i) { return std::string(200, static_cast<char>('a' + i % 26)); }

/// Kills a writer of lines without end once the file has `size` bytes, and returns the text.
std::string text_after_kill(const std::string& path, std::size_t size) {
    std::ofstream(path) << "name\n";
    const pid_t writer = fork();
    if (writer == 0) {
        LineFile file(path);
        for (int i = 0;; ++i) file.append(line_of(i));
    }
    if (writer < 0) throw std::runtime_error("fork failed");
    while (std::filesystem::file_size(path) < size) usleep(1000);
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    return text_of(path);
}

// About one kill in fifty tears the last line, so several are tried.
TEST(LineFile, AKillTearsTheLastLineAtMost) {
    const test::TemporaryFolder folder;
    for (int turn = 0; turn < 20; ++turn) {
        std::istringstream lines(text_after_kill(folder / "a.csv", 100'000));
        std::string line;
        std::getline(lines, line);
        EXPECT_EQ(line, "name");
        for (int i = 0; std::getline(lines, line); ++i) {
            if (lines.eof())  // without a line feed
                ASSERT_TRUE(line_of(i).starts_with(line)) << "line " << i;
            else
                ASSERT_EQ(line, line_of(i)) << "line " << i;
        }
    }
}

TEST(LineFile, ALineThatDoesNotFitIsCutOff) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a.csv") << "name\n";
    const pid_t writer = fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) {  // with a limit in place of a full disk
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        setrlimit(RLIMIT_FSIZE, &limit);
        LineFile file(folder / "a.csv");
        try {
            for (int i = 0; i < 10; ++i) file.append(std::string(199, 'x'));
        } catch (const Error& error) {
            _exit(error.code() == ExitCode::resources ? 7 : 8);
        }
        _exit(9);
    }
    int status = 0;
    waitpid(writer, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 7);
    EXPECT_EQ(text_of(folder / "a.csv").size(), 5U + 4 * 200);
}

TEST(LineFile, RefusesWhatIsNotThereOrIsALink) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(LineFile(folder / "a.csv"), Error);
    std::ofstream(folder / "b.csv") << "name\n";
    std::filesystem::create_symlink(folder / "b.csv", folder / "c.csv");
    EXPECT_THROW(LineFile(folder / "c.csv"), Error);
}

}  // namespace
}  // namespace tessera::io
