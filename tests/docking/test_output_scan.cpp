#include "docking/pairs/output_scan.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "core/stop_flag.hpp"
#include "io/files/input_file.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/temporary_folder.hpp"
#include "synthetic_result.hpp"

namespace tessera::docking {
namespace {

namespace fs = std::filesystem;

constexpr const char* build = R"({"git_revision": "abc"})";

/// A table of two pairs in a folder with results.
class OutputScanOf : public ::testing::Test {
  protected:
    OutputScanOf() {
        fs::create_directory(folder_.path() / "out");
        for (const char* name : {"r.pdb", "l.pdb", "m.pdb"}) std::ofstream(folder_ / name) << name;
        for (const char* name : {"one", "two"}) {
            DockPair pair{name, 0, {}};
            pair.input.receptor_path = folder_ / "r.pdb";
            pair.input.ligand_path = folder_ / (name == std::string("one") ? "l.pdb" : "m.pdb");
            pairs_.push_back(pair);
        }
        outputs_ = {folder_ / "out", "pairs.csv", "1.0", "abc", false, {{{"vdw", {}}}, false}};
    }

    /// As write_pair() does, in small. Returns what the run knows of it.
    WrittenPair write(const DockPair& pair) {
        io::RunRecord record;
        record.build = build;
        record.input_sha256 = input_hash(pair.input);
        io::ResultFile file(outputs_.path(pair), "dock", "1.0", true);
        write_dock_result(file.root(), testing::synthetic_result());
        io::write_run_record(file.root(), record);
        const std::string row = outputs_.summary.row(pair.name, file.root());
        file.commit();
        return {row, io::file_status(outputs_.path(pair))->stamp, record.input_sha256, {}};
    }

    PairManifest manifest() {
        return {outputs_.folder, outputs_.kind(), {pairs_[0].name, pairs_[1].name}};
    }

    struct Found {
        std::vector<PairRow> rows;
        std::int64_t opened = 0, hashed = 0;
    };
    /// A start of the program.
    Found scan() {
        PairManifest known = manifest();
        OutputScan scan(outputs_, known);
        Found found;
        for (std::size_t i = 0; i < pairs_.size(); ++i)
            found.rows.push_back(scan.look_at(i, pairs_[i]));
        found.opened = scan.opened();
        found.hashed = scan.inputs().read();
        return found;
    }
    /// Both pairs are done, by so many reads of results and inputs.
    void expect_done(std::int64_t opened, std::int64_t hashed) {
        const Found found = scan();
        for (const PairRow& row : found.rows) {
            EXPECT_EQ(row.status, PairRow::Status::done) << row.failure.reason;
            EXPECT_TRUE(row.summary.find(",done,,48,") != std::string::npos) << row.summary;
        }
        EXPECT_EQ(found.opened, opened);
        EXPECT_EQ(found.hashed, hashed);
    }

    static void let_settle() { std::this_thread::sleep_for(std::chrono::milliseconds(2100)); }

    test::TemporaryFolder folder_;
    std::vector<DockPair> pairs_;
    PairOutputs outputs_;
};

TEST_F(OutputScanOf, AFolderWithoutManifestIsReadOnceAndEachInputHashedOnce) {
    for (const DockPair& pair : pairs_) write(pair);
    let_settle();
    expect_done(2, 3);  // the receptor belongs to both
    expect_done(0, 0);
    expect_done(0, 0);
}

TEST_F(OutputScanOf, InputsThatHaveJustChangedAreHashedAgain) {
    for (const DockPair& pair : pairs_) write(pair);
    std::ofstream(folder_ / "m.pdb") << "m.pdb";
    const auto begun = std::chrono::steady_clock::now();
    const std::int64_t first = scan().hashed, second = scan().hashed;
    if (std::chrono::steady_clock::now() - begun > std::chrono::seconds(1))
        GTEST_SKIP() << "the machine is too slow";
    EXPECT_EQ(first, 3);
    EXPECT_GE(second, 1);
}

TEST_F(OutputScanOf, WhatARunHasWrittenNeedsNoReading) {
    let_settle();
    {
        PairManifest known = manifest();
        for (const DockPair& pair : pairs_) {
            WrittenPair written = write(pair);
            for (const std::string& path : input_files(pair.input))
                written.inputs.push_back(
                    {path, io::file_status(path)->stamp, io::sha256_of_file(path)});
            known.add(pair.name, written);
        }
    }
    expect_done(0, 0);
}

TEST_F(OutputScanOf, AChangedInputIsNoticed) {
    for (const DockPair& pair : pairs_) write(pair);
    let_settle();
    expect_done(2, 3);
    const auto time = fs::last_write_time(pairs_[1].input.ligand_path);
    std::ofstream(pairs_[1].input.ligand_path) << "M.pdb";
    fs::last_write_time(pairs_[1].input.ligand_path, time);
    const Found found = scan();
    EXPECT_EQ(found.rows[0].status, PairRow::Status::done);
    EXPECT_EQ(found.rows[1].status, PairRow::Status::failed);
    EXPECT_NE(found.rows[1].failure.reason.find("not the result of this input"), std::string::npos);
    fs::remove(pairs_[1].input.ligand_path);
    EXPECT_NE(scan().rows[1].failure.reason.find("m.pdb"), std::string::npos);
}

TEST_F(OutputScanOf, AChangedOptionIsNoticed) {
    for (const DockPair& pair : pairs_) write(pair);
    expect_done(2, 3);
    pairs_[0].input.exclusion = 5;
    EXPECT_EQ(scan().rows[0].status, PairRow::Status::failed);
    EXPECT_EQ(scan().rows[1].status, PairRow::Status::done);
}

TEST_F(OutputScanOf, ADamagedResultIsNoticed) {
    for (const DockPair& pair : pairs_) write(pair);
    expect_done(2, 3);
    const std::string path = outputs_.path(pairs_[0]);
    const auto time = fs::last_write_time(path);
    const auto size = fs::file_size(path);
    std::ofstream(path, std::ios::in | std::ios::out) << std::string(4096, 'x');
    fs::last_write_time(path, time);
    ASSERT_EQ(fs::file_size(path), size);
    EXPECT_EQ(scan().rows[0].status, PairRow::Status::failed);
    fs::remove(path);
    EXPECT_EQ(scan().rows[0].status, PairRow::Status::unfinished);
}

TEST_F(OutputScanOf, AnotherBuildOrOtherColumnsReadTheResultsAgain) {
    for (const DockPair& pair : pairs_) write(pair);
    expect_done(2, 3);
    outputs_.summary.references = true;
    Found found = scan();
    EXPECT_EQ(found.opened, 2);
    EXPECT_EQ(found.rows[0].status, PairRow::Status::done);
    EXPECT_TRUE(found.rows[0].summary.ends_with(",,,,")) << found.rows[0].summary;
    outputs_.revision = "def";
    found = scan();
    EXPECT_EQ(found.opened, 2);
    EXPECT_EQ(found.rows[0].status, PairRow::Status::failed);
}

TEST_F(OutputScanOf, ForceDocksAgain) {
    for (const DockPair& pair : pairs_) write(pair);
    expect_done(2, 3);
    outputs_.force = true;
    for (const PairRow& row : scan().rows) EXPECT_EQ(row.status, PairRow::Status::unfinished);
}

TEST_F(OutputScanOf, ATornManifestCountsUpToTheTear) {
    for (const DockPair& pair : pairs_) write(pair);
    let_settle();
    expect_done(2, 3);
    const std::string path = PairManifest::path(outputs_.folder);
    fs::resize_file(path, fs::file_size(path) - 1);
    expect_done(1, 0);  // the last record was of the second pair
    expect_done(0, 0);
}

TEST_F(OutputScanOf, ADamagedManifestIsForgotten) {
    for (const DockPair& pair : pairs_) write(pair);
    let_settle();
    const std::string path = PairManifest::path(outputs_.folder);
    const std::function<void()> damages[] = {
        [&] { std::fstream(path).seekp(34) << "other key"; },
        [&] { fs::resize_file(path, 0); },
        [&] { std::ofstream(path) << std::string(48, '\0'); },  // killed before the head
        [&] { std::ofstream(path) << "tessera journal 9\nof a later format"; },
    };
    for (const auto& damage : damages) {
        scan();
        damage();
        expect_done(2, 3);
        expect_done(0, 0);
    }
}

TEST_F(OutputScanOf, AFileOfTheUserIsKept) {
    const std::string path = PairManifest::path(outputs_.folder);
    std::ofstream(path) << "freight";
    EXPECT_THROW(manifest(), Error);
    EXPECT_EQ(fs::file_size(path), 7U);
}

TEST_F(OutputScanOf, AResultIsNeverAnInput) {
    pairs_[0].input.ligand_path = outputs_.path(pairs_[0]);
    std::ofstream(outputs_.path(pairs_[0])) << "ATOM";
    for (const bool force : {false, true}) {
        outputs_.force = force;
        const PairRow row = scan().rows[0];
        EXPECT_EQ(row.status, PairRow::Status::failed);
        EXPECT_NE(row.failure.reason.find("it is an input of this run"), std::string::npos);
    }
}

TEST_F(OutputScanOf, ASignalEndsTheScan) {
    for (const DockPair& pair : pairs_) write(pair);
    const StopFlag stop;
    std::raise(SIGTERM);
    try {
        scan();
        FAIL() << "the scan goes on";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::requeue);
    }
}

}  // namespace
}  // namespace tessera::docking
