#include "boinc/slot_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>

namespace {

using tessera::boinc::output_of;
using tessera::boinc::SlotFiles;
namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string read(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A client's folder with a project and a slot. The slot's files name those of the project.
class SlotFilesTest : public ::testing::Test {
  protected:
    void SetUp() override {
        fs::remove_all(home_);
        fs::create_directories(project_);
        fs::create_directories(slot_);
        write(project_ / "wedge_17.toml", "wedge = 17\n");
        write(slot_ / "wedge.toml", "<soft_link>../../projects/sky/wedge_17.toml</soft_link>\n");
        write(slot_ / "out.h5", "<soft_link>../../projects/sky/task_17_0</soft_link>\n");
        write(slot_ / "stars.txt", "copied by the client\n");
    }
    void TearDown() override { fs::remove_all(home_); }

    SlotFiles files() const {
        return {slot_,
                [](const std::string& name) {
                    const std::map<std::string, std::string> links{
                        {"wedge.toml", "../../projects/sky/wedge_17.toml"},
                        {"out.h5", "../../projects/sky/task_17_0"}};
                    return links.contains(name) ? links.at(name) : name;
                },
                "out.h5"};
    }

    fs::path home_ = fs::temp_directory_path() / ("tessera_slot_" + std::to_string(getpid()));
    fs::path project_ = home_ / "projects/sky", slot_ = home_ / "slots/0";
};

TEST_F(SlotFilesTest, ShowsInputsUnderTheirLogicalNames) {
    files().link_inputs();
    EXPECT_EQ(read(slot_ / "files/wedge.toml"), "wedge = 17\n");
    EXPECT_EQ(read(slot_ / "files/stars.txt"), "copied by the client\n");
    EXPECT_FALSE(fs::exists(fs::symlink_status(slot_ / "files/out.h5")));
    EXPECT_FALSE(files().has_result());
}

TEST_F(SlotFilesTest, LinksAgainAfterARestart) {
    files().link_inputs();
    fs::create_directory(slot_ / "files/out.h5.partial");
    write(slot_ / "files/out.h5.partial/run", "progress");
    files().link_inputs();
    EXPECT_EQ(read(slot_ / "files/wedge.toml"), "wedge = 17\n");
    EXPECT_EQ(read(slot_ / "files/out.h5.partial/run"), "progress");
}

TEST_F(SlotFilesTest, BringsTheResultToTheProject) {
    files().link_inputs();
    write(slot_ / "files/out.h5", "result");
    EXPECT_TRUE(files().has_result());
    files().deliver();
    EXPECT_EQ(read(project_ / "task_17_0"), "result");
    EXPECT_TRUE(files().has_result());  // a process that starts now computes nothing
    files().deliver();
    EXPECT_EQ(read(project_ / "task_17_0"), "result");
}

TEST_F(SlotFilesTest, LeavesAResultInTheSlotIfTheClientCopiesIt) {
    const SlotFiles copied(
        slot_, [](const std::string& name) { return name; }, "answer.h5");
    copied.link_inputs();
    write(slot_ / "files/answer.h5", "result");
    copied.deliver();
    EXPECT_EQ(read(slot_ / "answer.h5"), "result");
    EXPECT_TRUE(copied.has_result());
}

TEST_F(SlotFilesTest, LeavesTheInputsOfTheProjectAloneWhenTheSlotIsEmptied) {
    files().link_inputs();
    fs::remove_all(slot_);
    EXPECT_EQ(read(project_ / "wedge_17.toml"), "wedge = 17\n");
}

TEST(OutputOf, FindsTheResultInACommandLine) {
    EXPECT_EQ(output_of({"fit", "a.toml", "-o", "b.h5"}), "b.h5");
    EXPECT_EQ(output_of({"fit", "--output", "b.h5", "a.toml"}), "b.h5");
    EXPECT_EQ(output_of({"fit", "--output=b.h5"}), "b.h5");
    EXPECT_EQ(output_of({"info", "a.h5", "-o"}), "");
}

}  // namespace
