#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plan/job_plan.hpp"

namespace tessera::plan {
namespace {

RankPlan rank(double item_seconds, double first = 0) {
    RankPlan plan;
    plan.host = "node";
    plan.device.name = "a device";
    plan.item_seconds = item_seconds;
    plan.first_tile_seconds = first;
    return plan;
}

JobSize job(double items, std::int64_t tiles, double serial = 0) {
    return {"dock", "rotations", items, tiles, "search", serial};
}

TEST(TileSeconds, OneRankDoesAllOneAfterAnother) {
    EXPECT_NEAR(tile_seconds({rank(0.5, 3)}, job(100, 10)), 53, 1e-9);
    EXPECT_EQ(tile_seconds({rank(0.5)}, job(0, 0)), 0);
}

TEST(TileSeconds, EqualRanksShareWholeTiles) {
    EXPECT_NEAR(tile_seconds({rank(1), rank(1)}, job(100, 10)), 50, 1e-9);
    EXPECT_NEAR(tile_seconds({rank(1), rank(1), rank(1)}, job(100, 10)), 40, 1e-9);  // 4 of 10
}

TEST(TileSeconds, ASlowRankTakesItsShareAndHoldsNothingUp) {
    const double fast = tile_seconds({rank(1)}, job(1000, 100));
    const double both = tile_seconds({rank(1), rank(4)}, job(1000, 100));
    EXPECT_LT(both, fast);
    EXPECT_GE(both, 1000 / 1.25);           // the summed rates'
    EXPECT_LE(both, 1000 / 1.25 + 4 * 10);  // and a tile of the slow one
}

TEST(TileSeconds, WhatIsSerialIsNotShared) {
    EXPECT_NEAR(tile_seconds({rank(1), rank(2)}, job(100, 1000, 1)), 100, 1e-9);
    const double half = tile_seconds({rank(1), rank(1)}, job(100, 1000, 0.5));
    EXPECT_NEAR(half, 75, 0.1);
}

TEST(Syncing, TheDiskGetsGridsWhileTilesAreComputedOnceMemoryKeepsNoMore) {
    const GridWrites writes{.bytes = 8e9, .synced_rate = 1e9, .cached = 2e9};
    EXPECT_NEAR(sync_seconds({}, 10, 1, 1), 0, 1e-9);
    EXPECT_NEAR(sync_seconds({8e9, 1e9}, 100, 1, 1), 8, 1e-9);  // a system that does not say
    EXPECT_NEAR(sync_seconds(writes, 100, 1, 1), 2, 1e-9);      // what memory keeps
    EXPECT_NEAR(sync_seconds(writes, 4, 1, 1), 6, 1e-9);        // half the rate until then
    EXPECT_NEAR(sync_seconds(writes, 100, 4, 2), 1, 1e-9);      // two nodes, two ranks each
    EXPECT_NEAR(sync_seconds({1e9, 1e9, 2e9}, 100, 1, 1), 1, 1e-9);
}

LocalPlan local() {
    LocalPlan plan;
    plan.rank = rank(0.01);
    plan.rank.start_seconds = 2;
    plan.job = job(1000, 10);
    plan.before = {{"prepare", 1, Basis::measured}};
    plan.after = {{"rank", 0.5, Basis::sampled}};
    plan.notes = {"a note"};
    return plan;
}

TEST(JobPlan, PhasesAddUpInOrder) {
    const LocalPlan root = local();
    RankPlan other = rank(0.01);
    other.start_seconds = 3;
    const JobPlan plan = combine(root, {root.rank, other});
    ASSERT_EQ(plan.phases.size(), 4U);
    EXPECT_EQ(plan.phases[0].name, "prepare");
    EXPECT_EQ(plan.phases[1].name, "start device");
    EXPECT_EQ(plan.phases[1].seconds, 3);  // of the slowest
    EXPECT_EQ(plan.phases[2].name, "search");
    EXPECT_NEAR(plan.phases[2].seconds, 5, 1e-9);
    EXPECT_NEAR(plan.total_seconds(), 9.5, 1e-9);
    EXPECT_NEAR(plan.rate(), 200, 1e-9);
}

TEST(JobPlan, TilesWaitForTheDiskAtTheirEnd) {
    LocalPlan root = local();
    root.writes = {4e9, 1e9};
    EXPECT_NEAR(combine(root, {root.rank}).phases[2].seconds, 14, 1e-9);
}

TEST(JobPlan, TheSecondStageIsSharedToo) {
    LocalPlan root = local();
    root.rank.second_item_seconds = 0.1;
    root.job.second = {"refine", 100, 10};
    root.after = {{"rank", 0.5, Basis::sampled}, {"refine", 0.25, Basis::sampled}};
    const auto refine = [&](const std::vector<RankPlan>& ranks) {
        const JobPlan plan = combine(root, ranks);
        EXPECT_EQ(plan.phases.back().name, "refine");
        return plan.phases.back().seconds;
    };
    EXPECT_NEAR(refine({root.rank}), 10.25, 1e-9);  // 0.25 s are rank 0's own
    EXPECT_NEAR(refine({root.rank, root.rank}), 5.25, 1e-9);
    RankPlan slow = root.rank;
    slow.second_item_seconds = 100;
    EXPECT_GT(refine({root.rank, slow}), 900);  // which takes one tile, and that is the last
}

TEST(JobPlan, JsonHasWhatIsDocumented) {
    const LocalPlan root = local();
    const auto json = nlohmann::json::parse(to_json(combine(root, {root.rank})));
    for (const char* key : {"program", "workload", "can_run", "work", "ranks", "phases",
                            "items_per_second", "total_seconds", "notes"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json["workload"], "dock");
    EXPECT_EQ(json["work"]["items"], 1000);
    for (const char* key : {"rank", "host", "device", "can_run", "why_not", "precision",
                            "arrangement", "planned_bytes", "items_per_second", "seconds_per_item",
                            "second_stage_seconds_per_item", "basis", "start_seconds"})
        EXPECT_TRUE(json["ranks"][0].contains(key)) << key;
    for (const char* key : {"name", "backend", "threads", "memory_bytes", "free_bytes",
                            "fp32_flops", "fp64_flops", "bandwidth_bytes_per_second"})
        EXPECT_TRUE(json["ranks"][0]["device"].contains(key)) << key;
    EXPECT_EQ(json["phases"][2]["name"], "search");
    EXPECT_EQ(json["phases"][0]["basis"], "measured");
}

TEST(JobPlan, OneRankThatCannotRunStopsTheJob) {
    const LocalPlan root = local();
    RankPlan other = rank(0.01);
    other.why_not = "no CUDA device (the driver shows none): use --device openmp";
    const JobPlan plan = combine(root, {root.rank, other});
    EXPECT_FALSE(plan.can_run());
    EXPECT_TRUE(plan.phases.empty());
    EXPECT_FALSE(nlohmann::json::parse(to_json(plan)).contains("total_seconds"));
    EXPECT_NE(report_text(plan).find("the driver shows none"), std::string::npos);
}

TEST(JobPlan, ARankTravelsAsText) {
    RankPlan sent = rank(0.0123, 4.5);
    sent.device.backend = kernels::Backend::cuda;
    sent.device.threads = 3;
    sent.device.memory_bytes = std::int64_t{140} << 30;
    sent.device.fp64_flops = 3.4e13;
    sent.device.rates = Basis::measured;
    sent.basis = Basis::sampled;
    sent.why_not = "why \"not\"";
    sent.start_seconds = 0.25;
    sent.second_item_seconds = 0.5;
    const RankPlan received = rank_from_json(to_json(sent));
    EXPECT_EQ(received.device.backend, sent.device.backend);
    EXPECT_EQ(received.device.memory_bytes, sent.device.memory_bytes);
    EXPECT_EQ(received.device.fp64_flops, sent.device.fp64_flops);
    EXPECT_EQ(received.device.rates, sent.device.rates);
    EXPECT_EQ(received.basis, sent.basis);
    EXPECT_EQ(received.item_seconds, sent.item_seconds);
    EXPECT_EQ(received.first_tile_seconds, sent.first_tile_seconds);
    EXPECT_EQ(received.start_seconds, sent.start_seconds);
    EXPECT_EQ(received.second_item_seconds, sent.second_item_seconds);
    EXPECT_EQ(received.why_not, sent.why_not);
    EXPECT_EQ(to_json(received), to_json(sent));
}

TEST(ProcessClock, Runs) {
    const double now = seconds_since_process_began();
    EXPECT_GE(now, 0);
    EXPECT_LT(now, 3600);
}

}  // namespace
}  // namespace tessera::plan
