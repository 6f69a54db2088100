#include "choice/builds.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "choice/ask.hpp"
#include "core/processor_levels.hpp"

namespace {

namespace fs = std::filesystem;
using namespace tessera;
using choice::Build;

class Builds : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("tessera-builds-" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// A shell script in the place of a program.
    fs::path program(const std::string& name, const std::string& script = "") const {
        const fs::path path = folder_ / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(path, fs::perms::owner_all);
        return path;
    }

    fs::path folder_;
};

TEST_F(Builds, OfAPortableInstallation) {
    const fs::path self = program("libexec/tessera/x86-64/tessera");
    (void)program("libexec/tessera/cuda/tessera");
    (void)program("libexec/tessera/x86-64-v4/tessera");
    const auto builds = choice::find_builds(self, "", "");
    ASSERT_EQ(builds.size(), 3U);
    EXPECT_EQ(builds[0].name, "x86-64-v4");
    EXPECT_EQ(builds[1].name, "x86-64");
    EXPECT_EQ(builds[2].name, "cuda");
    EXPECT_EQ(builds[1].program, self.string());
    const auto levels = processor_levels();
    for (const Build& build : builds) {
        const auto level = std::ranges::find(levels, build.name, &ProcessorLevel::name);
        EXPECT_EQ(build.why_not.empty(), level->runs_here) << build.name;
    }
}

TEST_F(Builds, OfALevelThatIsAskedFor) {
    const fs::path self = program("libexec/tessera/x86-64/tessera");
    (void)program("libexec/tessera/x86-64-v3/tessera");
    const auto builds = choice::find_builds(self, "", "x86-64");
    ASSERT_EQ(builds.size(), 2U);
    EXPECT_FALSE(builds[0].why_not.empty());
    EXPECT_EQ(builds[1].why_not.empty(), processor_levels()[2].runs_here);
}

TEST_F(Builds, OfAListOfPaths) {
    const fs::path self = program("build/host/tessera"), other = program("build/cuda/tessera");
    const auto builds = choice::find_builds(
        self, other.string() + "::/nowhere/tessera:" + self.string() + ":" + folder_.string(), "");
    ASSERT_EQ(builds.size(), 4U);
    EXPECT_EQ(builds[0].name, "this build");
    EXPECT_EQ(builds[1].program, other.string());
    EXPECT_EQ(builds[1].why_not, "");
    EXPECT_EQ(builds[2].why_not, "there is no such program");
    EXPECT_EQ(builds[3].why_not, "there is no such program");
}

TEST_F(Builds, Answer) {
    const std::string echo =
        program("echo", "cat; echo \"out $*\"; echo one >&2; echo two >&2; exit 7").string();
    const choice::Answer answer = choice::ask({echo, "two words", "*"});
    EXPECT_EQ(answer.code, 7);
    EXPECT_EQ(answer.out, "out two words *\n");
    EXPECT_EQ(answer.error, "two");
    EXPECT_EQ(choice::ask({program("killed", "kill -9 $$").string()}).code, 128 + 9);
    EXPECT_EQ(choice::ask({"/nowhere/tessera"}).code, 127);
    // More than a pipe holds.
    const std::string loud =
        program("loud", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2").string();
    EXPECT_EQ(choice::ask({loud}).out.size(), 300000U);
}

}  // namespace
