#include "docking/screen/partner_list.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "docking/screen/screen_pairs.hpp"

namespace tessera::docking {
namespace {

std::vector<ScreenPartner> parse(const std::string& text) {
    return parse_partner_list({"lists/proteins.csv", text, "table"});
}

void expect_refused(const std::string& text, const std::string& words) {
    try {
        parse(text);
        ADD_FAILURE() << "accepted:\n" << text;
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        EXPECT_EQ(error.code(), ExitCode::usage);
    }
}

TEST(PartnerList, HasNamesFilesAndChains) {
    const auto list =
        parse("name,chains,file\nbarnase,A;B,../pdb/a.pdb\n# comment\n,,1ay7_r.pdb.gz\n");
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0], (ScreenPartner{"barnase", 2, "pdb/a.pdb", {"A", "B"}}));
    EXPECT_EQ(list[1], (ScreenPartner{"1ay7_r", 4, "lists/1ay7_r.pdb.gz", {}}));
    EXPECT_EQ(parse("file\n/data/x.cif\n")[0].path, "/data/x.cif");
}

TEST(PartnerList, RefusesWhatItDoesNotUnderstand) {
    expect_refused("name\na\n", "no column 'file'");
    expect_refused("file,chain\na.pdb,A\n", "unknown column 'chain'");
    expect_refused("file,file\na,b\n", "appears twice");
    expect_refused("file,name\na.pdb\n", "line 2: 1 field instead of 2");
    expect_refused("file,name\n,x\n", "the file is missing");
    expect_refused("file\n", "no rows");
    expect_refused("file,name\na.pdb,x\nb.pdb,X\n", "also that of line 2");
    for (const char* name : {"a__b", "_a", "a_", "../a", "#a", "=a"})
        expect_refused(std::string("file,name\na.pdb,") + name + "\n", "cannot be a name");
}

TEST(ScreenPairs, AreMadeOneByOne) {
    DockInput common;
    common.spacing = 2.5;
    const ScreenPairs pairs(
        {{"r", 2, "r.pdb", {"A"}}, {"s", 3, "s.pdb", {}}},
        {{"k", 2, "k.pdb", {}}, {"l", 3, "l.pdb", {"B"}}, {"m", 4, "m.pdb", {}}}, common);
    ASSERT_EQ(pairs.size(), 6U);
    EXPECT_EQ(pairs.name(4), "s__l");
    const DockPair pair = pairs.pair(1);
    EXPECT_EQ(pair.name, "r__l");
    EXPECT_EQ(pair.input.receptor_path, "r.pdb");
    EXPECT_EQ(pair.input.receptor_chains, std::vector<std::string>{"A"});
    EXPECT_EQ(pair.input.ligand_path, "l.pdb");
    EXPECT_EQ(pair.input.ligand_chains, std::vector<std::string>{"B"});
    EXPECT_EQ(pair.input.spacing, 2.5);
    EXPECT_EQ(receptor_groups(pairs, 9), (std::vector<int>{3, 3}));
    EXPECT_EQ(receptor_groups(SomePairs(pairs, {0, 2, 5}), 9), (std::vector<int>{2, 1}));
}

}  // namespace
}  // namespace tessera::docking
