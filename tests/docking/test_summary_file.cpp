#include "docking/screen/summary_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "io/parquet/table_file.hpp"
#include "io/temporary_folder.hpp"

namespace tessera::docking {
namespace {

const std::string done =
    "r,k,done,,32,100,-9.000,-3.000,2.000,3.0000,1.0000,5,1,0,0,0,1.0,2.0,3.0,\"a, b\",,,,";
const std::string failed = "r,l,failed,\"no, it is not\",,,,,,,,,,,,,,,,,,,,";

std::string bytes_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

TEST(SummaryFile, IsReplacedAtOnceAndHasTheSameBytesAgain) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "shard-000000.parquet", scratch = folder / "scratch";
    write_summary_file(path, scratch, "1.0", {done});
    const std::string first = bytes_of(path);
    EXPECT_TRUE(first.starts_with("PAR1") && first.ends_with("PAR1"));
    EXPECT_TRUE(io::is_parquet_table(path));
    write_summary_file(path, scratch, "1.0", {done, failed});
    EXPECT_NE(bytes_of(path), first);
    write_summary_file(path, scratch, "1.0", {done});
    EXPECT_EQ(bytes_of(path), first);
    EXPECT_FALSE(std::filesystem::exists(scratch));
}

TEST(SummaryFile, WrongLinesAndFilesOfOthersAreRefused) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "shard-000000.parquet", scratch = folder / "scratch";
    std::string much = done;
    much.replace(much.find("100"), 3, "abc");
    EXPECT_THROW(write_summary_file(path, scratch, "1.0", {much}), Error);
    EXPECT_FALSE(std::filesystem::exists(path) || std::filesystem::exists(scratch));
    std::ofstream(path) << "notes\n";
    EXPECT_THROW(write_summary_file(path, scratch, "1.0", {done}), Error);
    EXPECT_EQ(bytes_of(path), "notes\n");
}

}  // namespace
}  // namespace tessera::docking
