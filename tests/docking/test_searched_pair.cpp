#include "docking/pairs/searched_pair.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace tessera::docking {
namespace {

io::RunRecord some_record() {
    io::RunRecord record;
    RankRecord rank;
    rank.host = "node1";
    rank.tiles_done = 5;
    rank.fate = "device lost";
    record.ranks = {rank, {}};
    record.phases = {{"search", 1.5}};
    record.retries = {{3, 1, "device lost", "why", "handed on"}, {}, {}};
    record.tiles_total = 12;
    record.tiles_resumed = 4;
    record.resumed_devices = "H200: 4 tiles";
    return record;
}

TEST(SearchedPair, ItsRecordTravelsWhole) {
    io::RunRecord arrived;
    arrived.command_line = "stays";
    unpack_record(packed_record(some_record()), arrived);
    ASSERT_EQ(arrived.ranks.size(), 2U);
    EXPECT_EQ(arrived.ranks[0].host.str(), "node1");
    EXPECT_EQ(arrived.ranks[0].tiles_done, 5);
    EXPECT_EQ(arrived.ranks[0].fate.str(), "device lost");
    ASSERT_EQ(arrived.phases.size(), 1U);
    EXPECT_EQ(arrived.phases[0].seconds, 1.5);
    ASSERT_EQ(arrived.retries.size(), 3U);
    EXPECT_EQ(arrived.retries[0].outcome.str(), "handed on");
    EXPECT_EQ(arrived.tiles_total, 12);
    EXPECT_EQ(arrived.tiles_resumed, 4);
    EXPECT_EQ(arrived.resumed_devices, "H200: 4 tiles");
    EXPECT_EQ(arrived.command_line, "stays");
}

TEST(SearchedPair, ARecordThatIsNotWholeIsRefused) {
    const std::vector<std::byte> bytes = packed_record(some_record());
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        io::RunRecord record;
        EXPECT_THROW(unpack_record(std::span(bytes).first(length), record), Error) << length;
    }
}

TEST(SearchedPair, AllRecordsMakeTheSameBestOnes) {
    docking::BestRecords best(2, 3);
    std::vector<kernels::PoseRecord> records;
    for (std::uint32_t i = 0; i < 40; ++i) {
        kernels::PoseRecord record{};
        record.set = i % 2;
        record.rotation = (7 * i) % 40;
        record.score = -static_cast<float>((i * i) % 13);
        records.push_back(record);
    }
    best.add(records);
    docking::BestRecords again(2, 3);
    const auto all = all_records(best);
    EXPECT_EQ(all.size(), 6U);
    again.add(all);
    for (std::size_t set = 0; set < 2; ++set)
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(again.finish()[set][i].rotation, best.finish()[set][i].rotation);
            EXPECT_EQ(again.finish()[set][i].score, best.finish()[set][i].score);
        }
}

}  // namespace
}  // namespace tessera::docking
