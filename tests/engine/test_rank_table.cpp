#include "engine/rank_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace {

using tessera::RankRecord;
using tessera::RetryRecord;
using namespace tessera::engine;

RankRecord rank_of(std::int64_t tiles, double busy, double waiting) {
    RankRecord rank;
    rank.host = "node7";
    rank.device = "NVIDIA H200";
    rank.backend = "cuda";
    rank.tiles_done = tiles;
    rank.busy_seconds = busy;
    rank.waiting_seconds = waiting;
    rank.fate = "finished";
    return rank;
}

TEST(RankTable, BalanceIsTheShareOfTimeThatRanksCompute) {
    EXPECT_DOUBLE_EQ(balance_of({rank_of(5, 10, 0), rank_of(3, 10, 0)}), 1);
    EXPECT_DOUBLE_EQ(balance_of({rank_of(5, 9, 1), rank_of(3, 7, 3)}), 0.8);
    // A rank whose device was lost after two seconds was not there to compute.
    EXPECT_DOUBLE_EQ(balance_of({rank_of(5, 10, 0), rank_of(1, 2, 0)}), 0.6);
    EXPECT_DOUBLE_EQ(balance_of({rank_of(0, 0, 0)}), 1);
}

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(RankTable, HasARowForEachOfAFewRanks) {
    auto lost = rank_of(3, 7, 3);
    lost.fate = "device lost";
    lost.retries = 2;
    const std::string table = rank_table({rank_of(5, 9, 1), lost});
    EXPECT_EQ(lines_of(table), 4u) << table;
    EXPECT_NE(table.find("90.0 %"), std::string::npos) << table;
    EXPECT_NE(table.find("device lost"), std::string::npos) << table;
    EXPECT_NE(table.find("the 2 ranks computed 80.0 % of the time"), std::string::npos) << table;
}

TEST(RankTable, OfManyRanksShowsTheExtremes) {
    std::vector<RankRecord> ranks;
    for (int i = 0; i < 1000; ++i) ranks.push_back(rank_of(i, 1 + i % 500, 1));
    const std::string table = rank_table(ranks, 4);
    EXPECT_EQ(lines_of(table), 7u) << table;
    EXPECT_NE(table.find("\n    0  node7"), std::string::npos) << table;
    EXPECT_NE(table.find("\n  999  node7"), std::string::npos) << table;
    EXPECT_NE(table.find("996 ranks in between"), std::string::npos) << table;
}

TEST(RankTable, HasAllRanksAsCommaSeparatedValues) {
    auto lost = rank_of(3, 7, 3);
    lost.device = "a, b";
    lost.fate = "device lost";
    lost.retries = 2;
    EXPECT_EQ(rank_csv({rank_of(5, 9.5, 1), lost}),
              "rank,host,device,backend,tiles,busy_seconds,waiting_seconds,retries,fate\n"
              "0,node7,NVIDIA H200,cuda,5,9.500,1.000,0,finished\n"
              "1,node7,\"a, b\",cuda,3,7.000,3.000,2,device lost\n");
}

TEST(RankTable, KindsOfDevicesAreCounted) {
    EXPECT_EQ(kinds_text({}), "");
    EXPECT_EQ(kinds_text({{"NVIDIA H200 (cuFFT 12.0.0)", 8}}),
              "NVIDIA H200 (cuFFT 12.0.0): 8 ranks");
    EXPECT_EQ(kinds_text({{"Intel Xeon", 1}, {"NVIDIA H200", 3}}),
              "Intel Xeon: 1 rank; NVIDIA H200: 3 ranks");
}

TEST(RankTable, RetriesNameWhoDidTheTile) {
    std::vector<RetryRecord> retries{{4, 1, "out of memory", "", "handed on"},
                                     {5, 1, "out of memory", "", "done in smaller launches"}};
    const std::vector<std::int64_t> done{5, 4};
    note_who_did(retries, 3, std::as_bytes(std::span(done)));
    EXPECT_EQ(retries[0].outcome.str(), "handed on, done by rank 3");
    EXPECT_EQ(retries[1].outcome.str(), "done in smaller launches");
}

}  // namespace
