#include "docking/pairs/pairs_progress.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "io/temporary_folder.hpp"

namespace tessera::docking {

namespace {

namespace fs = std::filesystem;

class PairsProgressOf : public testing::Test {
  protected:
    PairsProgressOf() {
        for (const char* name : {"done", "bad", "old", "new", "none"}) {
            docking::DockPair pair;
            pair.name = name;
            pairs_.push_back(pair);
            rows_.emplace_back();
        }
        rows_[0].status = PairRow::Status::done;
        rows_[1].status = PairRow::Status::failed;
    }

    /// A result that was written so long after now.
    void write(const std::string& name, std::chrono::seconds after) {
        const std::string path = folder_ / (name + ".h5");
        std::ofstream(path) << "a result";
        fs::last_write_time(path, fs::file_time_type::clock::now() + after);
    }

    test::TemporaryFolder folder_;
    std::vector<docking::DockPair> pairs_;
    std::vector<PairRow> rows_;
};

TEST_F(PairsProgressOf, CountsWhatWasThereAndWhatWasWrittenSince) {
    const io::PartialFolder lock(folder_ / "pairs.csv", {pairs_workload, "", "", 0}, false);
    EXPECT_FALSE(read_pairs_progress(lock.path()));
    for (const char* name : {"done", "bad", "old"}) write(name, std::chrono::seconds(-100));
    note_pairs(lock, ListedPairs(pairs_), rows_);
    auto progress = read_pairs_progress(lock.path());
    ASSERT_TRUE(progress);
    EXPECT_EQ(progress->pairs, 5);
    EXPECT_EQ(progress->done, 1);
    EXPECT_FALSE(progress->quiet_seconds);
    write("new", std::chrono::seconds(1000));
    progress = read_pairs_progress(lock.path() + "/");
    ASSERT_TRUE(progress && progress->quiet_seconds);
    EXPECT_EQ(progress->done, 2);
    EXPECT_NEAR(*progress->quiet_seconds, -1000, 900);
}

TEST_F(PairsProgressOf, ADamagedNoteIsNone) {
    const io::PartialFolder lock(folder_ / "pairs.csv", {pairs_workload, "", "", 0}, false);
    for (const char* text :
         {"", "[]", "{\"pairs\": 3}", "{\"pairs\": 3, \"done_before\": 1, \"to_do\": [4]}"}) {
        std::ofstream(lock.file("pairs")) << text;
        EXPECT_FALSE(read_pairs_progress(lock.path())) << text;
    }
}

}  // namespace

}  // namespace tessera::docking
