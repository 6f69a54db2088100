#include "docking/pairs/pair_ledger.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "io/temporary_folder.hpp"

namespace tessera::docking {
namespace {

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(PairLedger, TheSummaryGrowsAndEndsInTheOrderOfTheTable) {
    const test::TemporaryFolder folder;
    std::vector<DockPair> table;
    for (const char* name : {"a", "b", "c", "d"}) table.push_back({name, 0, {}});
    const ListedPairs pairs(table);
    std::vector<PairRow> rows(4);
    rows[1] = {PairRow::Status::done, "b,done,,40,1.000,-1.000,", {}};
    const SummaryFormat format{{{"vdw", {}}}, false};
    PairManifest manifest(folder.path().string(), {"1.0 abc", format.header()},
                          {"a", "b", "c", "d"});
    const std::string path = folder / "pairs.csv";
    std::ofstream(path) << "the summary of an earlier run\n";

    const auto line = [&](std::size_t row, const PairRow& entry) {
        return summary_line(format, pairs.name(row), entry);
    };
    PairLedger ledger({path, {format.header(), line}, &manifest}, pairs, rows);
    ledger.begin();
    const std::string first = format.header() + "\nb,done,,40,1.000,-1.000,\n";
    EXPECT_EQ(text_of(path), first);
    ledger.enter(3, {0, std::nullopt, {"d,done,,48,2.000,-2.000,", {}, "", {}}});
    EXPECT_EQ(text_of(path), first + "d,done,,48,2.000,-2.000,\n");
    ledger.enter(0, {1, PairFailure{"no, it is not", ExitCode::usage}, {}});
    EXPECT_EQ(text_of(path), first + "d,done,,48,2.000,-2.000,\na,failed,\"no, it is not\",,,,\n");
    EXPECT_EQ(rows[3].status, PairRow::Status::done);
    EXPECT_EQ(rows[0].failure.reason, "no, it is not");

    ledger.finish();
    EXPECT_EQ(text_of(path), format.header() +
                                 "\na,failed,\"no, it is not\",,,,\nb,done,,40,1.000,-1.000,\n"
                                 "c,unfinished,,,,,\nd,done,,48,2.000,-2.000,\n");
    ledger.finish({"names", [&](std::size_t row, const PairRow&) { return pairs.name(row); }});
    EXPECT_EQ(text_of(path), "names\na\nb\nc\nd\n");
}

}  // namespace
}  // namespace tessera::docking
