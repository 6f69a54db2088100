#include "io/hdf5/result_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <regex>

#include "core/error.hpp"
#include "io/files/sha256.hpp"
#include "io/files/temporary_name.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "temporary_folder.hpp"

namespace {

using tessera::Error;
using tessera::io::check_output_path;
using tessera::io::mark_of_file;
using tessera::io::mark_of_result;
using tessera::io::ResultFile;
using tessera::io::RunRecord;
using tessera::io::temporary_name;
using tessera::io::WholeFile;
using tessera::io::h5::File;

class Result : public testing::Test {
  protected:
    tessera::test::TemporaryFolder folder;
    const std::string path = folder / "run.h5";

    std::string refusal(const std::string& output, bool force = false) const {
        try {
            check_output_path(output, force);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

RunRecord example_record() {
    RunRecord record;
    record.command_line = "tessera dock a.pdb b.pdb -o 'run.h5'";
    record.input = R"({"spacing": 1.0})";
    record.input_sha256 = tessera::io::sha256_of(record.input);
    record.build = R"({"compiler": "g++ 12"})";
    record.ranks = {{"node1", "NVIDIA H200", "cuda", 300, 12.5, 1}, {"node2", "8 cores", "openmp"}};
    record.phases = {{"read", 0.25}};
    record.retries = {{17, 0, "out of memory", "7 GiB wanted, 5 GiB free"}};
    record.tiles_total = 400;
    record.tiles_resumed = 100;
    record.warnings = {"an atom is unknown"};
    return record;
}

TEST_F(Result, AppearsUnderItsNameOnlyWhenWhole) {
    {
        ResultFile result(path, "dock", "1.2.3");
        result.root().write("docking/x", std::vector<double>{1, 2}, {"angstrom", {}, 0});
        EXPECT_FALSE(std::filesystem::exists(path));
        EXPECT_TRUE(std::filesystem::exists(temporary_name(path, mark_of_result)));
        tessera::io::write_run_record(result.root(), example_record());
        result.commit();
        EXPECT_TRUE(std::filesystem::exists(path));
    }
    EXPECT_EQ(folder.count(), 1u);
    const File file = File::open(path);
    const auto root = file.root();
    EXPECT_EQ(root.read_attribute<std::string>("program"), "tessera");
    EXPECT_EQ(root.read_attribute<std::string>("version"), "1.2.3");
    EXPECT_EQ(root.read_attribute<std::string>("workload"), "dock");
    EXPECT_EQ(root.read_attribute<std::uint8_t>("complete"), 1);
    EXPECT_TRUE(std::regex_match(root.read_attribute<std::string>("created"),
                                 std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
    EXPECT_EQ(root.open_dataset("docking/x").read<double>().values, (std::vector<double>{1, 2}));
}

TEST_F(Result, WithoutCommitNothingIsLeft) {
    {
        ResultFile result(path, "dock", "1");
        result.root().write("x", std::vector<double>{1});
    }
    EXPECT_EQ(folder.count(), 0u);
}

TEST_F(Result, RunRecordRoundTrip) {
    const RunRecord record = example_record();
    {
        ResultFile result(path, "dock", "1");
        tessera::io::write_run_record(result.root(), record);
        result.commit();
    }
    const RunRecord back = tessera::io::read_run_record(File::open(path).root());
    EXPECT_EQ(back.command_line, record.command_line);
    EXPECT_EQ(back.input, record.input);
    EXPECT_EQ(back.input_sha256, record.input_sha256);
    EXPECT_EQ(back.build, record.build);
    EXPECT_EQ(back.tiles_total, 400);
    EXPECT_EQ(back.tiles_resumed, 100);
    ASSERT_EQ(back.ranks.size(), 2u);
    EXPECT_EQ(back.ranks[0].host.str(), "node1");
    EXPECT_EQ(back.ranks[0].device.str(), "NVIDIA H200");
    EXPECT_EQ(back.ranks[0].tiles_done, 300);
    EXPECT_EQ(back.ranks[0].busy_seconds, 12.5);
    EXPECT_EQ(back.ranks[0].retries, 1);
    EXPECT_EQ(back.ranks[1].backend.str(), "openmp");
    ASSERT_EQ(back.phases.size(), 1u);
    EXPECT_EQ(back.phases[0].name.str(), "read");
    EXPECT_EQ(back.phases[0].seconds, 0.25);
    ASSERT_EQ(back.retries.size(), 1u);
    EXPECT_EQ(back.retries[0].tile, 17);
    EXPECT_EQ(back.retries[0].reason.str(), "out of memory");
    EXPECT_EQ(back.warnings, record.warnings);
}

TEST_F(Result, OfVeryManyWarningsTheFirstThousandAreKept) {
    RunRecord record = example_record();
    record.warnings.assign(50000, "a frame gives no unit");
    ResultFile result(path, "orbital", "1");
    tessera::io::write_run_record(result.root(), record);
    result.commit();
    const RunRecord back = tessera::io::read_run_record(File::open(path).root());
    ASSERT_EQ(back.warnings.size(), 1001u);
    EXPECT_EQ(back.warnings[999], record.warnings[0]);
    EXPECT_EQ(back.warnings[1000], "49000 more warnings");
}

TEST_F(Result, PhasesAreTimedAndPassValuesOn) {
    RunRecord record;
    EXPECT_EQ(record.time_phase("think", [] { return 42; }), 42);
    EXPECT_THROW(record.time_phase("fail", []() -> int { throw 1; }), int);
    ASSERT_EQ(record.phases.size(), 2u);
    EXPECT_EQ(record.phases[0].name.str(), "think");
    EXPECT_GE(record.phases[0].seconds, 0);
}

TEST_F(Result, RefusesToReplaceUnlessForced) {
    std::ofstream(path).flush();
    EXPECT_EQ(refusal(path), "cannot write '" + path +
                                 "' (it exists already): choose another name, or replace it with "
                                 "--force");
    EXPECT_THROW(ResultFile(path, "dock", "1"), Error);
    EXPECT_EQ(std::filesystem::file_size(path), 0u);
    {
        // The former file stays until the new one is whole.
        ResultFile unfinished(path, "dock", "1", true);
    }
    EXPECT_EQ(std::filesystem::file_size(path), 0u);
    ResultFile result(path, "dock", "1", true);
    result.commit();
    EXPECT_EQ(File::open(path).root().read_attribute<std::uint8_t>("complete"), 1);
    EXPECT_EQ(folder.count(), 1u);
}

TEST_F(Result, ForceReplacesResultsAlone) {
    const std::string others = folder / "others.h5", link = folder / "link.h5";
    File::create(others).root().write_attribute("program", "another");
    std::ofstream(path) << "precious";
    for (const std::string& there : {path, others})
        EXPECT_NE(refusal(there, true).find("did not write the existing file"), std::string::npos)
            << there;
    std::filesystem::create_symlink(folder / "nowhere", link);
    EXPECT_NE(refusal(link, true).find("not a file"), std::string::npos);
    // What appears during the run is not replaced either.
    std::filesystem::remove(others);
    ResultFile result(others, "dock", "1", true);
    std::filesystem::copy(path, others);
    EXPECT_THROW(result.commit(), Error);
    EXPECT_EQ(std::filesystem::file_size(others), 8u);
}

TEST_F(Result, TemporaryNamesThatAreLinksLeadNowhere) {
    const std::string precious = folder / "precious", text = folder / "table.csv";
    std::ofstream(precious) << "precious";
    std::filesystem::create_symlink(precious, temporary_name(path, mark_of_result));
    std::filesystem::create_symlink(precious, temporary_name(text, mark_of_file));
    ResultFile result(path, "dock", "1");
    result.commit();
    WholeFile file(text);
    file.write("a table");
    file.commit();
    EXPECT_EQ(std::filesystem::file_size(precious), 8u);
    EXPECT_EQ(std::filesystem::file_size(text), 7u);
    EXPECT_TRUE(tessera::io::is_result(path));
    EXPECT_EQ(folder.count(), 3u);
}

TEST_F(Result, ATextThatAppearsMeanwhileIsKept) {
    WholeFile file(path);
    file.write("a table");
    std::ofstream(path) << "precious";
    EXPECT_THROW(file.commit(), Error);
    EXPECT_EQ(std::filesystem::file_size(path), 8u);
    WholeFile again(path);  // asked for by now
    again.commit();
    EXPECT_EQ(std::filesystem::file_size(path), 0u);
    EXPECT_EQ(folder.count(), 1u);
}

TEST_F(Result, AFileThatAppearsMeanwhileIsKeptAndSoIsTheResult) {
    {
        ResultFile result(path, "dock", "1");
        std::ofstream(path) << "another run";
        try {
            result.commit();
            FAIL();
        } catch (const Error& error) {
            EXPECT_NE(
                std::string(error.what()).find("the complete result is in '" + path + ".tmp-"),
                std::string::npos);
        }
    }
    EXPECT_EQ(std::filesystem::file_size(path), 11u);
    const std::string kept = temporary_name(path, mark_of_result) + ".complete";
    EXPECT_EQ(File::open(kept).root().read_attribute<std::uint8_t>("complete"), 1);
}

TEST_F(Result, OutputPathsThatCannotBe) {
    EXPECT_EQ(refusal(path), "");
    EXPECT_NE(refusal("").find("the name is empty"), std::string::npos);
    EXPECT_NE(refusal(folder.path().string()).find("name of a folder"), std::string::npos);
    EXPECT_NE(refusal(folder / "new/").find("name of a folder"), std::string::npos);
    EXPECT_NE(refusal(folder / "no/such/run.h5").find("make it first: mkdir -p"),
              std::string::npos);
    EXPECT_NE(refusal(folder / "it is/new/run.h5").find("mkdir -p '" + (folder / "it is/new'")),
              std::string::npos);
    EXPECT_NE(refusal("~/run.h5").find("write the whole path"), std::string::npos);
    std::ofstream(folder / "plain") << "x";
    EXPECT_NE(refusal(folder / "plain/run.h5").find("is not a folder"), std::string::npos);
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_NE(refusal(folder / "pipe", true).find("not a file"), std::string::npos);
}

TEST_F(Result, FoldersThatOneMayNotWriteTo) {
    if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
    ASSERT_EQ(chmod(folder.path().c_str(), 0500), 0);
    const std::string line = refusal(path);
    chmod(folder.path().c_str(), 0700);
    EXPECT_NE(line.find("choose a folder that you may write to"), std::string::npos) << line;
}

TEST_F(Result, OpensOnlyWholeOutputsOfThisProgram) {
    const auto refused = [](const std::string& file) -> std::string {
        try {
            tessera::io::open_result(file);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    {
        ResultFile result(path, "dock", "1.2.3");
        result.commit();
    }
    EXPECT_EQ(refused(path), "");
    const std::string others = folder / "others.h5", half = folder / "half.h5";
    File::create(others).root().write_attribute("x", std::int64_t{1});
    EXPECT_NE(refused(others).find("another program"), std::string::npos) << refused(others);
    {
        auto file = File::create(half);
        file.root().write_attribute("program", "tessera");
        file.root().write_attribute("workload", "dock");
    }
    EXPECT_NE(refused(half).find("not marked as complete"), std::string::npos) << refused(half);
    EXPECT_NE(refused(folder / "none.h5").find("no such file"), std::string::npos);
}

}  // namespace
