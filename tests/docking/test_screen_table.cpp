#include "docking/screen/screen_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "docking/pairs/pair_list.hpp"
#include "docking/screen/redock_table.hpp"

namespace tessera::docking {
namespace {

using Status = PairRow::Status;

/// The fields of a finished pair with this score.
std::string fields(const std::string& score) {
    return "32,100,-9.000,-3.000,2.000,3.0000," + score + ",5,1,0,0,0,1.0,2.0,3.0,\"a, b\"";
}

class ScreenTable : public ::testing::Test {
  protected:
    ScreenTable() : rows_(4) {
        rows_[0] = {Status::done, fields("1.0000"), {}};
        rows_[1] = {Status::done, fields("3.0000"), {}};
        rows_[2] = {Status::failed, "", {"cannot read, sorry", ExitCode::usage}};
    }

    ScreenPairs pairs_{{{"r", 2, "in/r.pdb", {"A", "B"}}, {"s", 3, "/in/s.pdb", {}}},
                       {{"k", 2, "k.pdb", {}}, {"l", 3, "l.pdb", {}}},
                       {}};
    std::vector<PairRow> rows_;
};

TEST_F(ScreenTable, ComparesPairsAtTheEnd) {
    const auto columns = std::ranges::count(screen_header(), ',');
    const SummaryLines growing = growing_lines(pairs_), whole = whole_lines(pairs_, rows_);
    EXPECT_EQ(growing.header, whole.header);
    EXPECT_TRUE(growing.header.starts_with(screen_beginning));
    EXPECT_EQ(growing.line(0, rows_[0]), "r,k,done,," + fields("1.0000") + ",,,,");
    // Receptor r has 1 and 3. Each ligand has one receptor with a result.
    EXPECT_EQ(whole.line(0, rows_[0]),
              "r,k,done,," + fields("1.0000") + ",-1.0000,0.0000,-0.5000,2");
    EXPECT_EQ(whole.line(1, rows_[1]), "r,l,done,," + fields("3.0000") + ",1.0000,0.0000,0.5000,1");
    EXPECT_TRUE(whole.line(2, rows_[2]).starts_with("s,k,failed,\"cannot read, sorry\",,"));
    EXPECT_EQ(std::ranges::count(whole.line(2, rows_[2]), ','), columns + 1);  // one in the reason
    EXPECT_TRUE(whole.line(3, rows_[3]).starts_with("s,l,unfinished,,,"));
    EXPECT_EQ(std::ranges::count(whole.line(3, rows_[3]), ','), columns);
    EXPECT_EQ(std::ranges::count(whole.line(0, rows_[0]), ','), columns + 1);  // one in the warning
}

TEST_F(ScreenTable, DamagedFieldsAreRefused) {
    EXPECT_EQ(compared_score(fields("-2.5000")), -2.5);
    EXPECT_THROW(compared_score(fields("much")), Error);
    EXPECT_THROW(compared_score("32,100"), Error);
}

TEST_F(ScreenTable, TheBestPairsAreATableOfPairs) {
    const std::string text = redock_table(pairs_, rows_, 1, "out/folder");
    const auto table = parse_pair_list({"out/folder/redock.csv", text, "table"}, {});
    ASSERT_EQ(table.size(), 1U);
    EXPECT_EQ(table[0].name, "r__l");
    EXPECT_EQ(table[0].input.receptor_path, "in/r.pdb");
    EXPECT_EQ(table[0].input.ligand_path, "l.pdb");
    EXPECT_EQ(table[0].input.receptor_chains, (std::vector<std::string>{"A", "B"}));
    rows_[3] = {Status::done, fields("0.5000"), {}};
    const auto both = parse_pair_list(
        {"out/folder/redock.csv", redock_table(pairs_, rows_, 9, "out/folder"), "table"}, {});
    ASSERT_EQ(both.size(), 3U);
    EXPECT_EQ(both[2].input.receptor_path, "/in/s.pdb");
}

}  // namespace
}  // namespace tessera::docking
