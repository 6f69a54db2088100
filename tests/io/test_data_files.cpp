#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "io/files/data_files.hpp"

namespace tessera::io {
namespace {

namespace fs = std::filesystem;

class DataFiles : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("tessera_data_" + std::to_string(::getpid()));
        fs::create_directories(folder_ / "rotations");
        std::ofstream(folder_ / "rotations" / "here.csv") << "1\n";
        ::setenv("TESSERA_DATA", folder_.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("TESSERA_DATA");
        fs::remove_all(folder_);
    }
    fs::path folder_;
};

TEST_F(DataFiles, EnvironmentComesFirst) {
    EXPECT_EQ(data_file("rotations/here.csv"), (folder_ / "rotations" / "here.csv").string());
}

TEST_F(DataFiles, FallsBackToTheSourceTree) {
    const fs::path expected = fs::path(TESSERA_SOURCE_DIR) / "data" / "README.md";
    EXPECT_TRUE(fs::equivalent(data_file("README.md"), expected));
}

TEST_F(DataFiles, AMissingFileNamesWhereItWasSought) {
    try {
        data_file("rotations/none.csv");
        FAIL() << "no error";
    } catch (const Error& error) {
        const std::string line = error.what();
        EXPECT_NE(line.find("rotations/none.csv"), std::string::npos) << line;
        EXPECT_NE(line.find(folder_.string()), std::string::npos) << line;
        EXPECT_NE(line.find("TESSERA_DATA"), std::string::npos) << line;
    }
}

}  // namespace
}  // namespace tessera::io
