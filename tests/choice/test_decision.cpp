#include "choice/decision.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "choice/pretended_machine.hpp"
#include "choice/shared_work.hpp"

namespace {

using namespace tessera;
using choice::Candidate;

/// A candidate that takes `seconds` in all.
Candidate taking(double seconds, const std::string& build = "b") {
    Candidate one{build, "cpu", {"/bin/" + build, "dock", "two words"}, "", plan::JobPlan{}};
    one.plan = pretended_plan(kernels::Backend::openmp, 1e-3);
    one.plan->phases = {{"search", seconds}};
    return one;
}

Candidate ruled_out(const std::string& why) { return {"old", "cuda", {}, why, {}}; }

TEST(Decision, TheFastestThatFits) {
    EXPECT_EQ(choice::choose({taking(3), taking(2), taking(4)}), 1U);
    EXPECT_EQ(choice::choose({ruled_out("too small"), taking(9)}), 1U);
    EXPECT_FALSE(choice::choose({ruled_out("too small")}));
    EXPECT_FALSE(choice::choose({}));
}

TEST(Decision, TiesAreForTheFirst) {
    EXPECT_EQ(choice::choose({taking(2), taking(2)}), 0U);
    EXPECT_EQ(choice::choose({taking(2.09), taking(2)}), 0U);
    EXPECT_EQ(choice::choose({taking(2.11), taking(2)}), 1U);
    // Near the fastest, not near the one that was chosen so far.
    EXPECT_EQ(choice::choose({taking(2.15), taking(2.08), taking(2)}), 1U);
}

TEST(Decision, TheTableSaysWhy) {
    const std::string fastest = choice::table_text({ruled_out("too little memory"), taking(2)});
    EXPECT_NE(fastest.find("too little memory"), std::string::npos) << fastest;
    EXPECT_NE(fastest.find("chosen: the fastest"), std::string::npos) << fastest;
    EXPECT_NE(fastest.find("/bin/b dock 'two words'"), std::string::npos) << fastest;
    const std::string tie = choice::table_text({taking(2.05, "near"), taking(2)});
    EXPECT_NE(tie.find("chosen: within 5 % of the fastest, and simpler"), std::string::npos) << tie;
    EXPECT_NE(tie.find("/bin/near dock"), std::string::npos) << tie;
    EXPECT_EQ(choice::table_text({ruled_out("x")}).find("chosen"), std::string::npos);
}

TEST(Decision, TheJsonIsAPlanWithCandidates) {
    const auto json = nlohmann::json::parse(choice::to_json({ruled_out("x"), taking(2)}));
    EXPECT_EQ(json.at("total_seconds"), 2);
    EXPECT_EQ(json.at("workload"), "dock");
    ASSERT_EQ(json.at("candidates").size(), 2U);
    EXPECT_EQ(json.at("candidates")[0].at("why_not"), "x");
    EXPECT_EQ(json.at("candidates")[0].at("chosen"), false);
    EXPECT_EQ(json.at("candidates")[1].at("chosen"), true);
    EXPECT_EQ(json.at("candidates")[1].at("command")[2], "two words");
    const auto none = nlohmann::json::parse(choice::to_json({ruled_out("x")}));
    EXPECT_EQ(none.at("can_run"), false);
}

TEST(SharedWork, TilesAreSharedAndOtherPhasesStay) {
    const plan::JobPlan alone = pretended_plan(kernels::Backend::cuda, 1e-3);
    const auto& rank = alone.ranks.front();
    EXPECT_DOUBLE_EQ(choice::share_work(alone, {rank}).total_seconds(), alone.total_seconds());
    const plan::JobPlan two = choice::share_work(alone, {rank, rank});
    ASSERT_EQ(two.phases.size(), 5U);
    EXPECT_DOUBLE_EQ(two.phases[0].seconds, 1);
    EXPECT_DOUBLE_EQ(two.phases[1].seconds, 0.5);
    EXPECT_NEAR(two.phases[2].seconds, 3.5, 1e-9);    // 100 equal tiles of 0.07 s
    EXPECT_NEAR(two.phases[3].seconds, 0.035, 1e-9);  // 10 equal tiles
    EXPECT_NEAR(two.rate(), 2000, 1e-6);
}

TEST(SharedWork, TheSlowestStartCounts) {
    const plan::JobPlan alone = pretended_plan(kernels::Backend::cuda, 1e-3);
    plan::RankPlan slow = alone.ranks.front();
    slow.start_seconds = 4;
    EXPECT_DOUBLE_EQ(choice::share_work(alone, {alone.ranks.front(), slow}).phases[1].seconds, 4);
}

TEST(SharedWork, FewerThreadsAreSlower) {
    const auto rank = pretended_plan(kernels::Backend::openmp, 1e-3, 16).ranks.front();
    const auto fewer = choice::with_threads(rank, 12);
    EXPECT_DOUBLE_EQ(fewer.item_seconds, 1e-3 * 16 / 12);
    EXPECT_DOUBLE_EQ(fewer.second_item_seconds, 1e-4 * 16 / 12);
    EXPECT_EQ(fewer.device.threads, 12);
}

TEST(JobPlanJson, IsReadBack) {
    const plan::JobPlan plan = pretended_plan(kernels::Backend::cuda, 1e-3);
    const plan::JobPlan back = plan::job_from_json(plan::to_json(plan));
    EXPECT_EQ(plan::to_json(back), plan::to_json(plan));
    EXPECT_EQ(back.job.second.tiles, 10);
    EXPECT_EQ(back.job.tile_phase, "search");
    for (const char* text : {"", "{}", "{\"work\":3}", "[1]"})
        EXPECT_THROW((void)plan::job_from_json(text), std::exception) << text;
}

}  // namespace
