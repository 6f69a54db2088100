#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>

#include "docking/model/coefficients.hpp"
#include "docking/model/energy.hpp"
#include "io/temporary_folder.hpp"
#include "support/message_of.hpp"

namespace tessera::docking {
namespace {

std::vector<CoefficientSet> sets_of(const std::string& text) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "my.sets", std::ios::binary) << text;
    return parse_coefficient_sets(folder / "my.sets");
}

std::string message_of(const std::string& text, bool is_file = true) {
    return test::message_of([&] { is_file ? sets_of(text) : parse_coefficient_sets(text); });
}

void expect_said(const std::string& message, const std::string& words) {
    EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(ClashCost, AFineSearchTakesTheDefaultsAndACoarseOneIsSofter) {
    const EnergyParameters defaults;
    EXPECT_EQ(default_clash_cost(70000).repulsion, defaults.repulsion);
    EXPECT_EQ(default_clash_cost(70000).buried_ligand_weight, defaults.buried_ligand_weight);
    EXPECT_LT(default_clash_cost(3600).repulsion, defaults.repulsion);
    EXPECT_LT(default_clash_cost(3600).buried_ligand_weight, defaults.buried_ligand_weight);
}

TEST(Coefficients, BuiltInSetsByNameInTheOrderAskedFor) {
    const auto all = default_coefficient_sets();
    ASSERT_EQ(all.size(), 4U);
    const auto sets = parse_coefficient_sets("vdw,balanced");
    ASSERT_EQ(sets.size(), 2U);
    EXPECT_EQ(sets[0].name, "vdw");
    EXPECT_EQ(sets[1].weights, all[0].weights);
    for (const CoefficientSet& set : all) {
        EXPECT_GT(set.weights[0], 0) << "repulsion must cost, " << set.name;
        EXPECT_LT(set.weights[1], 0) << "contacts must gain, " << set.name;
        EXPECT_GT(set.weights[2], 0) << set.name;
        EXPECT_GE(set.weights[3], 0) << set.name;
    }
}

TEST(Coefficients, WeightsGoWithThePairPotential) {
    const auto ace = default_coefficient_sets("ace");
    EXPECT_EQ(ace[0].weights, (std::array<double, 4>{0.40, -0.40, 500, 1.00}));
    EXPECT_EQ(ace[2].weights, (std::array<double, 4>{0.40, -0.40, 500, 1.40}));
    EXPECT_EQ(default_coefficient_sets("my.csv")[2].weights, ace[2].weights);
    EXPECT_NE(default_coefficient_sets()[2].weights, ace[2].weights);
    EXPECT_EQ(parse_coefficient_sets("hydrophobic", "ace")[0].weights, ace[2].weights);
    EXPECT_EQ(parse_coefficient_sets("hydrophobic")[0].weights,
              default_coefficient_sets("tessera")[2].weights);
}

TEST(Coefficients, FilesMayHaveCommentsBlanksAndDosLineEnds) {
    const auto sets = sets_of("# mine\r\n\r\n  one\t0.5 -1e-1 6e2 +1 # first\r\ntwo 1 2 3 4");
    ASSERT_EQ(sets.size(), 2U);
    EXPECT_EQ(sets[0].name, "one");
    EXPECT_EQ(sets[0].weights, (std::array<double, 4>{0.5, -0.1, 600, 1}));
    EXPECT_EQ(sets[1].weights, (std::array<double, 4>{1, 2, 3, 4}));
}

TEST(Coefficients, BadLinesAreNamed) {
    expect_said(message_of("a 1 1 1 1\nb 1 1 1\n"), "my.sets:2");
    expect_said(message_of("b 1 1 1 1 1\n"), "my.sets:1");
    expect_said(message_of("b 1 1 x 1\n"), "my.sets:1");
    expect_said(message_of("b 1 nan 1 1\n"), "my.sets:1");
    expect_said(message_of("b 1 inf 1 1\n"), "my.sets:1");
    expect_said(message_of("b 1 1e999 1 1\n"), "my.sets:1");
    expect_said(message_of("b 1 1e30 1 1\n"), "out of range");
    expect_said(message_of(std::string("\x01\x02\0\r\xff 1 1", 9)), "binary");
    expect_said(message_of("\x01\x02\r\xff 1 1"), "my.sets:1");
    expect_said(message_of(std::string(100000, 'x')), "...");
}

TEST(Coefficients, ASetMustTellPosesApart) {
    expect_said(message_of("a 1 1 1 1\nb 0 -0 0.0 0e9\n"), "my.sets:2: all weights of 'b' are 0");
    expect_said(message_of("b 1e-40 0 0 -1e-50\n"), "all weights");  // 0 in single precision
    EXPECT_EQ(sets_of("b 0 0 0 1e-6\n").size(), 1U);
}

TEST(Coefficients, NamesMustServeAsGroupAndFileNames) {
    for (const char* name : {"a/b", ".", "..", ".hidden", "caf\xc3\xa9", "a*"})
        expect_said(message_of(std::string(name) + " 1 1 1 1\n"), "cannot be used");
    EXPECT_EQ(sets_of("A-b_3.x 1 1 1 1\n")[0].name, "A-b_3.x");
}

TEST(Coefficients, NumbersOfSets) {
    std::string eight;
    for (int i = 0; i < 8; ++i) eight += "s" + std::to_string(i) + " 1 1 1 1\n";
    EXPECT_EQ(sets_of(eight).size(), 8U);
    expect_said(message_of(eight + "s8 1 1 1 1\n"), "9 coefficient sets");
    expect_said(message_of("# none\n"), "0 coefficient sets");
    expect_said(message_of("a 1 1 1 1\na 2 1 1 1\n"), "twice");
    expect_said(message_of("vdw,vdw", false), "twice");
    expect_said(message_of("vdw,sour", false), "'sour'");
    expect_said(message_of(",", false), "unknown");
    expect_said(message_of(TESSERA_SOURCE_DIR, false), "it is a directory");
}

}  // namespace
}  // namespace tessera::docking
