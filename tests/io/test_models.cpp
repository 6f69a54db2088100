// Files with several models.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/proteins/structure.hpp"
#include "structure_texts.hpp"

namespace {

using tessera::io::parse_models;
using tessera::io::Structure;
using namespace tessera::test;

std::string three_models(const std::string& end_of_model) {
    std::string text = "HEADER    TEST\n";
    for (const int model : {1, 2, 3})
        text += "MODEL " + std::to_string(model) + "\n" + pdb({.number = 7, .x = 10.0 * model}) +
                pdb({.number = 8, .x = 10.0 * model + 4}) + "TER\n" + end_of_model;
    return text + "END\n";
}

TEST(ReadModels, ReadsAllModelsOfAPdbFile) {
    for (const char* end : {"ENDMDL\n", ""}) {  // some programs omit ENDMDL
        const auto models = parse_models({"x.pdb", three_models(end), "structure", "hash"});
        ASSERT_EQ(models.size(), 3u);
        for (std::size_t m = 0; m < 3; ++m) {
            ASSERT_EQ(models[m].atoms.size(), 2u);
            EXPECT_EQ(models[m].atoms[0].residue_number, 7);
            EXPECT_EQ(models[m].atoms[1].segment, 0);
            EXPECT_DOUBLE_EQ(models[m].atoms[1].position.x, 10.0 * static_cast<double>(m) + 14);
            EXPECT_EQ(models[m].sha256, "hash");
            EXPECT_TRUE(models[m].warnings.empty());
        }
    }
}

TEST(ReadModels, TheWarningCountsTheModelsThatAreNotRead) {
    for (const char* end : {"ENDMDL\n", ""}) {
        const Structure first = read_text(three_models(end));
        EXPECT_EQ(first.other_models, 2);
        ASSERT_EQ(first.warnings.size(), 1u);
        EXPECT_NE(first.warnings[0].find("it has 2 others"), std::string::npos);
    }
    EXPECT_EQ(read_text(glycine_pdb).other_models, 0);
    EXPECT_NE(read_text(glycine_cif).warnings.at(0).find("it has 1 other"), std::string::npos);
}

TEST(ReadModels, ReadsAllModelsOfAnMmcifFileAndTheirChains) {
    std::string text = glycine_cif;
    const std::string last = "ATOM   7 N  N  . GLY A 1 ? 99.0 2.0  3.0 1.00 20.0 1 X 2\n";
    text.replace(text.find(last), last.size(),
                 last + "ATOM   8 CA CA . GLY A 1 ? 97.5 2.0  3.0 1.00 20.0 1 X 2\n"
                        "ATOM   9 N  N  . GLY B 1 ? 50.0 2.0  3.0 1.00 20.0 1 Y 2\n");
    const auto models = parse_models({"x.cif", text, "structure", ""});
    ASSERT_EQ(models.size(), 2u);
    EXPECT_EQ(models[0].atoms.size(), 5u);
    ASSERT_EQ(models[1].atoms.size(), 3u);
    EXPECT_DOUBLE_EQ(models[1].atoms[1].position.x, 97.5);
    EXPECT_EQ(models[1].atoms[2].segment, 1);
    const auto chosen =
        parse_models({"x.cif", text.substr(0, text.size()), "structure", ""}, {"X"});
    EXPECT_EQ(chosen.at(1).atoms.size(), 2u);
}

}  // namespace
