#include "docking/restraints/restraint_file.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "restrained_partners.hpp"

namespace tessera::docking {
namespace {

RestraintFile parse_file(const std::string& text, const std::string& path = "in.csv") {
    return parse_restraint_file({path, text});
}

void expect_file_refused(const std::string& text, const std::string& words,
                         const std::string& path = "in.csv") {
    try {
        parse_file(text, path);
        ADD_FAILURE() << "accepted:\n" << text;
    } catch (const Error& error) {
        const std::string line = error.what();
        EXPECT_NE(line.find(words), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

TEST(RestraintFile, ATableOfHaddock) {
    const RestraintFile file =
        parse_file("! AIRs\nassign (resid 11 and segid A)\n (\n  (resid 81 and segid "
                   "B)\n or\n  (resid 82 and segid B)\n ) 2.0 2.0 0.0\n\n"
                   "ASSI (resid 3 and segid B and name CA) (resid 4 and segid A and "
                   "name CB) 12.0 2.5 3.0 ! a cross-link\n",
                   "air.tbl");
    ASSERT_EQ(file.restraints.size(), 2U);
    EXPECT_TRUE(file.is_haddock_table);
    EXPECT_EQ(file.restraints[0].lower, 0);
    EXPECT_EQ(file.restraints[0].upper, 2);
    EXPECT_EQ(file.restraints[0].where, "air.tbl:2");
    EXPECT_EQ(alternatives(file.restraints[0].second).size(), 2U);
    EXPECT_EQ(file.restraints[1].lower, 9.5);
    EXPECT_EQ(file.restraints[1].upper, 15);
    EXPECT_EQ(file.restraints[1].where, "air.tbl:9");
    ASSERT_EQ(file.groups.size(), 1U);
    EXPECT_EQ(file.groups[0].name, "air");
    EXPECT_TRUE(parse_file("assign (all) (all) 1 1 1", "no_ending").is_haddock_table);
}

TEST(RestraintFile, BadStatementsAreNamedByTheirLine) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "has no restraints"},
        {"! nothing\n", "has no restraints"},
        {"noe\nassign", "in.tbl:1' ('noe' begins no restraint)"},
        {"assign (all) (all) 2 2", "a distance is missing"},
        {"assign (all) (all) 2 2 x", "'x' is not a distance"},
        {"assign (all) (all) 2 2 nan", "'nan' is not a distance"},
        {"assign (all)\n(all)\n2 2 0 7", "in.tbl:3' ('7' begins no restraint)"},
        {"assign all (all) 2 2 0", "'all' stands where '(' is expected"},
        {"assign (all) 2 2 0", "'2' stands where '(' is expected"},
        {"assign (all", "a parenthesis is not closed"},
        {"assign", "the text ends where a selection is expected"},
        {"assign (all) (all) -5 0 0", "upper bound is -5 A"},
        {"assign (all) (all) 5 -3 -1", "bounds are 8 and 4 A"},
        {"assign (all) (all) 5000 0 0", "upper bound is 5000 A"}};
    for (const auto& [text, words] : cases) expect_file_refused(text, words, "in.tbl");
}

TEST(RestraintFile, GroupsOfACsvTable) {
    const RestraintFile file =
        parse_file("# cross-links\ngroup,receptor,ligand,lower,upper,required\n"
                   "links,resid 45 and name CA,resid 8 and name CA,,25,2\n"
                   "\nlinks,resid 46,resid 9,4,25.5,\n"
                   ",resid 1,resid 2,,8,50%\n"
                   "links,resid 47,resid 9,,25,2\n");
    ASSERT_EQ(file.restraints.size(), 4U);
    EXPECT_FALSE(file.is_haddock_table);
    EXPECT_EQ(file.restraints[1].lower, 4);
    EXPECT_EQ(file.restraints[1].upper, 25.5);
    EXPECT_EQ(file.restraints[1].where, "in.csv:5");
    EXPECT_TRUE(file.restraints[1].first_is_receptor);
    ASSERT_EQ(file.groups.size(), 2U);
    EXPECT_EQ(file.groups[0].name, "links");
    EXPECT_EQ(file.groups[0].required.among(3), 2);
    EXPECT_EQ(file.groups[1].name, "in");
    EXPECT_EQ(file.groups[1].required.among(3), 2);
    EXPECT_EQ(file.restraints[3].group, 0U);
    EXPECT_EQ(file.restraints[2].group, 1U);
}

TEST(RestraintFile, BadCsvTablesAreNamedByTheirLine) {
    const std::string header = "receptor,ligand,upper,lower,group,required\n";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"receptor,ligand\n", "there is no column 'upper'"},
        {"receptor,ligands,upper\n", "did you mean 'ligand'?"},
        {"receptor,ligand,upper,upper\n", "column 'upper' appears twice"},
        {"receptor;ligand;upper\nresid 1;resid 2;5,5\n", "semicolons separate its fields"},
        {header, "no rows follow"},
        {header + "resid 1,resid 2,5\n", "in.csv:2' (3 fields instead of 6)"},
        {header + "resid 1,resid 2,x,,,\n", "'x'"},
        {header + "resid 1,resid 2,0,,,\n", "upper bound is 0 A"},
        {header + "resid 1,resid 2,5,6,,\n", "bounds are 6 and 5 A"},
        {header + "resid 1,resid,5,,,\n", "in.csv:2' (no name follows 'resid')"},
        {header + ",resid 2,5,,,\n", "the text ends"},
        {header + "resid 1 2,resid 2,5,,,\n", "'2' in column 'receptor'"},
        {header + "resid 1,resid 2,5,,,many\n", "'many' in column 'required'"},
        {header + "resid 1,resid 2,5,,,0\n", "'0' in column 'required' is not a whole number from "
                                             "1 on, or a percentage above 0% and up "
                                             "to 100%"},
        {header + "resid 1,resid 2,5,,,101%\n", "'101%' in column 'required'"},
        {header + "resid 1,resid 2,5,,g,1\nresid 1,resid 2,5,,g,2\n", "two values"}};
    for (const auto& [text, words] : cases) expect_file_refused(text, words);
}

TEST(RequiredShare, NumbersAndPercentages) {
    EXPECT_EQ(parse_required_share("3")->among(7), 3);
    EXPECT_EQ(parse_required_share("50%")->among(7), 4);
    EXPECT_EQ(parse_required_share("33.3%")->among(10), 4);
    EXPECT_EQ(parse_required_share("10%")->among(10), 1);
    EXPECT_EQ(parse_required_share("1%")->among(10), 1);
    EXPECT_EQ(parse_required_share("100%")->among(7), 7);
    EXPECT_EQ(parse_required_share("")->among(7), 7);
    for (const char* text : {"0", "-1", "x", "3.5", "0%", "%", "3 ", "1e3", "nan%"})
        EXPECT_FALSE(parse_required_share(text)) << text;
}

}  // namespace
}  // namespace tessera::docking
