#include "io/files/temporary_name.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <vector>

#include "io/files/whole_file.hpp"
#include "io/hdf5/result_file.hpp"
#include "temporary_folder.hpp"

namespace {

using tessera::io::abandoned_files;
using tessera::io::mark_of_file;
using tessera::io::mark_of_folder;
using tessera::io::mark_of_result;
using tessera::io::temporary_name;

/// What a killed process leaves: a file with some bytes, under the name it has until it is whole.
void write_and_die(const std::string& path) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        tessera::io::WholeFile file(path);
        file.write("half a tab");
        ::raise(SIGKILL);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
}

/// The name that a killed process had for it, by the one of a file that it left.
std::string abandoned_result(const std::string& path, const std::string& other) {
    std::string name = abandoned_files(other, mark_of_file).at(0).filename().string();
    name = name.substr(name.find(mark_of_file) + mark_of_file.size());
    std::ofstream(path + ".tmp-" + name) << "torn";
    return path + ".tmp-" + name;
}

TEST(TemporaryName, FilesOfKilledProcessesAreRemovedWhenTheirFolderIsUsedAgain) {
    const tessera::test::TemporaryFolder folder;
    write_and_die(folder / "screen.csv");
    write_and_die(folder / "screen.csv");
    write_and_die(folder / "screen.json");
    EXPECT_EQ(folder.count(), 3u);
    EXPECT_EQ(abandoned_files(folder / "screen.csv", mark_of_file).size(), 2u);
    tessera::io::remove_abandoned(folder / "screen.csv");
    EXPECT_EQ(folder.count(), 1u);
    tessera::io::make_folder(folder.path().string());
    EXPECT_EQ(folder.count(), 0u);
}

TEST(TemporaryName, FilesOfLiveProcessesAndOfOthersStay) {
    const tessera::test::TemporaryFolder folder;
    const std::string table = folder / "screen.csv";
    write_and_die(table);
    const std::string dead = abandoned_files(table, mark_of_file).at(0).string();
    const std::size_t machine = (table + ".tmp.").size();
    std::string elsewhere = dead;  // the same number on another machine
    elsewhere[machine] = dead[machine] == '0' ? '1' : '0';
    const std::vector<std::string> kept = {
        elsewhere,       dead + ".complete",
        dead + "x",      table + ".tmp.12345",
        table + ".tmp.", temporary_name(folder / "mine.csv", mark_of_file)};
    for (const std::string& path : kept) std::ofstream(path) << "precious";
    tessera::io::WholeFile live(folder / "live.csv");
    std::filesystem::create_symlink(kept[0], folder / "link.csv" + dead.substr(table.size()));
    tessera::io::make_folder(folder.path().string());
    EXPECT_FALSE(std::filesystem::exists(dead));
    for (const std::string& path : kept) EXPECT_TRUE(std::filesystem::exists(path)) << path;
    EXPECT_EQ(folder.count(), kept.size() + 2);
}

TEST(TemporaryName, FoldersOfKilledProcessesGoWithWhatTheyHold) {
    const tessera::test::TemporaryFolder folder;
    write_and_die(folder / "table.csv");
    std::string name = abandoned_files(folder / "table.csv", mark_of_file).at(0).string();
    name = name.substr(name.find(mark_of_file) + mark_of_file.size());
    const std::string dead = folder / "merged.merging." + name;
    const std::string other = folder / "other.merging." + name;
    const std::string live = temporary_name(folder / "merged", mark_of_folder);
    for (const std::string& path : {dead, other, live})
        std::filesystem::create_directories(path + "/poses");
    std::filesystem::create_directory_symlink(other, folder / "merged.merging.link");
    std::ofstream(folder / "merged.merging.1") << "a file";
    tessera::io::remove_abandoned_folders(folder / "merged");
    EXPECT_FALSE(std::filesystem::exists(dead));
    for (const std::string& path : {other, live})
        EXPECT_TRUE(std::filesystem::exists(path + "/poses")) << path;
    EXPECT_EQ(folder.count(), 5u);
}

TEST(TemporaryName, ATornResultGoesWhenTheResultIsWrittenAgain) {
    const tessera::test::TemporaryFolder folder;
    write_and_die(folder / "table.csv");
    const std::string torn = abandoned_result(folder / "run.h5", folder / "table.csv");
    const std::string another = abandoned_result(folder / "another.h5", folder / "table.csv");
    tessera::io::ResultFile(folder / "run.h5", "dock", "1").commit();
    EXPECT_FALSE(std::filesystem::exists(torn));
    EXPECT_TRUE(std::filesystem::exists(another));
}

}  // namespace
