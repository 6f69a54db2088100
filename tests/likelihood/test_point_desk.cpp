#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "likelihood/fit/point_desk.hpp"

namespace tessera::likelihood {

namespace {

double value_at(const Point& at) { return -std::hypot(at[0] - 0.3, at[1] - 0.7); }

/// A desk whose ranks answer in turn, rank 0 four times as often as the others.
struct Ranks {
    explicit Ranks(int ranks, double verify, std::vector<int> kinds = {}) {
        MaximisePlan plan;
        plan.population = 12;
        plan.generations = 10;
        search.emplace(space, plan);
        std::vector<PointGuest> guests;
        for (int r = 0; r < ranks; ++r)
            guests.push_back({"rank " + std::to_string(r), kinds.empty() ? 0 : kinds[r]});
        DeskOptions options{verify, 1, {}, {}};
        options.settled = [this](const SettledPoint& point) { settled.push_back(point); };
        options.warn = [this](const std::string& line) { warnings.push_back(line); };
        desk.emplace(*search, guests, options);
    }

    virtual ~Ranks() = default;
    virtual double answer(int /*rank*/, const Point& at) { return value_at(at); }

    void turn(int rank) {
        for (const Proposal& one : desk->next(rank, 2)) {
            evaluators[one.number].push_back(rank);
            desk->take(rank, one.number, answer(rank, one.at));
        }
    }
    void run() {
        const auto ranks = std::ssize(desk->guests());
        for (int i = 0; !desk->done() && i < 100'000; ++i)
            turn(i % 5 < 4 ? 0 : static_cast<int>((i / 5) % ranks));
        EXPECT_TRUE(desk->done());
    }

    const Space space{2};
    std::optional<SteadySearch> search;
    std::optional<PointDesk> desk;
    std::vector<SettledPoint> settled;
    std::vector<std::string> warnings;
    std::map<std::int64_t, std::vector<int>> evaluators;  ///< of each point
};

/// Rank 1 gives a wrong last bit in every third answer.
struct OneWrong : Ranks {
    using Ranks::Ranks;
    double answer(int rank, const Point& at) override {
        const double right = value_at(at);
        return rank == 1 && ++answers % 3 == 0 ? std::nextafter(right, 0) : right;
    }
    int answers = 0;
};

}  // namespace

TEST(PointDesk, EveryPointIsEvaluatedOnce) {
    Ranks ranks(3, 0);
    ranks.run();
    EXPECT_EQ(ranks.search->taken(), 120);
    for (const auto& [number, by] : ranks.evaluators) EXPECT_EQ(by.size(), 1u) << number;
    EXPECT_EQ(ranks.desk->verified(), 0);
    EXPECT_TRUE(ranks.warnings.empty());
}

TEST(PointDesk, TheShareIsVerifiedOnAnotherRank) {
    for (const double verify : {0.25, 1.0}) {
        Ranks ranks(3, verify);
        ranks.run();
        std::int64_t twice = 0;
        for (const auto& [number, by] : ranks.evaluators) {
            ASSERT_LE(by.size(), 2u);
            twice += by.size() == 2;
            EXPECT_EQ(std::set<int>(by.begin(), by.end()).size(), by.size()) << number;
        }
        EXPECT_EQ(ranks.desk->verified(), twice);
        EXPECT_NEAR(static_cast<double>(twice), 120 * verify, 15);
        EXPECT_EQ(ranks.desk->mismatched(), 0);
    }
}

TEST(PointDesk, AWrongAnswerIsFoundAndDoesNotReachTheSearch) {
    OneWrong ranks(3, 1);
    ranks.run();
    EXPECT_GT(ranks.desk->mismatched(), 5);
    EXPECT_EQ(ranks.desk->guests()[0].wrong, 0);
    EXPECT_EQ(ranks.desk->guests()[1].wrong, ranks.desk->mismatched());
    EXPECT_EQ(ranks.desk->guests()[2].wrong, 0);
    ASSERT_FALSE(ranks.warnings.empty());
    EXPECT_NE(ranks.warnings[0].find("rank 1 gave a wrong value"), std::string::npos);
    for (const auto& population : ranks.search->populations())
        for (const Candidate& member : population->members())
            EXPECT_EQ(member.value, value_at(member.at));
}

TEST(PointDesk, OnlyRanksOfOneKindAreCompared) {
    Ranks ranks(3, 1, {0, 1, 0});
    ASSERT_EQ(ranks.warnings.size(), 1u);
    EXPECT_NE(ranks.warnings[0].find("rank 1 verifies its own"), std::string::npos);
    ranks.run();
    for (const auto& [number, by] : ranks.evaluators)
        EXPECT_TRUE(by == std::vector({1, 1}) || (by[0] != by[1] && by[0] != 1 && by[1] != 1));
}

TEST(PointDesk, AnotherRunGoesOnWhereThePointsEnded) {
    OneWrong first(2, 0.5), second(2, 0.5);
    for (int i = 0; i < 40; ++i) first.turn(i % 2);
    const auto in_flight = first.desk->next(0, 2);
    ASSERT_FALSE(in_flight.empty());
    for (const SettledPoint& point : first.settled) second.desk->repeat(point);
    EXPECT_EQ(second.search->taken(), first.search->taken());
    EXPECT_EQ(second.search->best().at, first.search->best().at);
    EXPECT_EQ(second.desk->verified(), first.desk->verified());
    EXPECT_EQ(second.desk->mismatched(), first.desk->mismatched());
    const auto members = [](const Ranks& ranks) -> const std::vector<Candidate>& {
        return ranks.search->populations()[0]->members();
    };
    for (std::size_t i = 0; i < members(first).size(); ++i)
        EXPECT_EQ(members(first)[i].at, members(second)[i].at);
    second.run();
    EXPECT_GE(second.search->taken(), 120);  // with those that were being verified at the end
}

TEST(PointDesk, APointThatFailsGoesToAnotherRank) {
    Ranks ranks(2, 0);
    const auto errand = ranks.desk->next(1, 1).front();
    ranks.desk->give_back(1, errand.number, true, TileFault::device_error, "on order");
    EXPECT_NE(ranks.desk->next(1, 1).front().number, errand.number);
    EXPECT_EQ(ranks.desk->next(0, 1).front().number, errand.number);
    EXPECT_THROW(ranks.desk->give_back(0, errand.number, true, TileFault::device_error, "on order"),
                 Error);
}

TEST(PointDesk, ARankThatLeavesGetsNoMorePoints) {
    Ranks ranks(2, 1);
    ranks.turn(0);  // waits for rank 1 to verify it
    ranks.desk->leave(1);
    EXPECT_TRUE(ranks.desk->next(1, 2).empty());
    ranks.run();
    for (const auto& [number, by] : ranks.evaluators) EXPECT_EQ(by, std::vector({0, 0}));
}

}  // namespace tessera::likelihood
