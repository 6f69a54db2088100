#include "docking/restraints/selection_parser.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "restrained_partners.hpp"

namespace tessera::docking {
namespace {

AtomSelection parse(const std::string& text, SegidMeaning segid = SegidMeaning::partner) {
    SelectionWords words(text, "in.tbl", 1);
    AtomSelection selection = parse_selection(words, segid);
    EXPECT_TRUE(words.at_end()) << text;
    return selection;
}

/// The atoms of the receptor of TwoPartners that a text selects, as "A1N A1CA".
std::string selected(const std::string& text, SegidMeaning segid = SegidMeaning::partner) {
    const testing::TwoPartners partners;
    const AtomSelection selection = parse(text, segid);
    std::string found;
    for (const io::AtomRecord& atom : partners.receptor.atoms)
        if (selection.matches(atom, Partner::receptor))
            found += (found.empty() ? "" : " ") + atom.chain + std::to_string(atom.residue_number) +
                     atom.name;
    return found;
}

TEST(SelectionParser, ConditionsAndTheirCombinations) {
    EXPECT_EQ(selected("resid 2 and chain A"), "A2N A2CA A2CB");
    EXPECT_EQ(selected("resid 2 and name CA"), "A2CA H2CA");
    EXPECT_EQ(selected("resid -1"), "H-1N H-1CA H-1CB");
    EXPECT_EQ(selected("chain H and resid 2:3 and not name C*"), "H2N H3N");
    EXPECT_EQ(selected("(chain A and (resid 1 or resid 6)) and name ca"), "A1CA A6CA");
    EXPECT_EQ(selected("resn LYS and chain H and name C%"), "H0CA H0CB H2CA H2CB");
    // "and" binds before "or".
    EXPECT_EQ(selected("resid 1 and chain A and name N or resid 6 and name CB"), "A1N A6CB");
    EXPECT_EQ(selected("name N and not (chain A or resid -1:2)"), "H3N");
    EXPECT_EQ(selected("all and name CB and chain H and resid 3"), "H3CB");
}

TEST(SelectionParser, SegidsAreThePartnersInATableOfHaddock) {
    EXPECT_EQ(selected("segid A and resid 2 and name N"), "A2N H2N");
    EXPECT_EQ(selected("segid B"), "");
    EXPECT_EQ(selected("segid H and resid 2 and name N"), "H2N");
    EXPECT_EQ(selected("segid A and resid 2 and name N", SegidMeaning::chain), "A2N");
    EXPECT_EQ(selected("segid \"  H \" and resid 2 and name N"), "H2N");
}

TEST(SelectionParser, AbbreviationsCapitalsQuotesAndComments) {
    EXPECT_EQ(selected("RESI 2 AND SEGI H and NAME \"CA\""), "H2CA");
    EXPECT_EQ(selected("residue 2 { a { comment } and resname ala and chain H"), "");
    EXPECT_EQ(selected("resid 2 ! and chain A\n and chain H\r\n and name N"), "H2N");
}

TEST(SelectionParser, InsertionCodes) {
    io::AtomRecord atom;
    atom.residue_number = 100;
    EXPECT_TRUE(parse("resid 100").matches(atom, Partner::receptor));
    EXPECT_FALSE(parse("resid 100A").matches(atom, Partner::receptor));
    atom.insertion_code = 'A';
    EXPECT_TRUE(parse("resid 100A").matches(atom, Partner::receptor));
    EXPECT_TRUE(parse("resid 100").matches(atom, Partner::receptor));
}

TEST(SelectionParser, TheTextOfASelectionIsReadAgain) {
    for (const char* text : {"resid 2:5 and (chain A or not name C*)", "segid B or resn LYS",
                             "not not all", "resid -3:-1", "resid 7C"}) {
        const std::string once = text_of(parse(text));
        EXPECT_EQ(text_of(parse(once)), once) << text;
    }
}

TEST(SelectionParser, AlternativesAreThePartsOfAnOr) {
    EXPECT_EQ(alternatives(parse("resid 1 or (resid 2 or resid 3) or chain A")).size(), 4U);
    EXPECT_EQ(alternatives(parse("segid A and (resid 2 or resid 3)")).size(), 1U);
}

TEST(SelectionParser, WhatIsNotUnderstoodIsOneLineWithItsPlace) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"resd 12", "in.tbl:1' ('resd' is not a selection): did you mean 'resid'?"},
        {"\n\nfoo", "in.tbl:3' ('foo' is not a selection): use resid"},
        {"resid", "no name follows 'resid'"},
        {"resid 1x2", "'1x2' is not a residue number"},
        {"resid 5:3", "'5:3' is not a residue number"},
        {"resid 99999999999", "is not a residue number"},
        {"resid 1 and", "the text ends"},
        {"(resid 1", "a parenthesis is not closed"},
        {"(resid 1 resid 2)", "a parenthesis is not closed"},
        {"chain ()", "no name follows 'chain'"},
        {"name \"CA", "quotation mark is not closed"},
        {"", "the text ends"},
        {std::string(200, '('), "more than 100 parentheses"}};
    for (const auto& [text, words] : cases) {
        try {
            parse(text);
            ADD_FAILURE() << "accepted " << text;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    }
    std::string nots;
    for (int i = 0; i < 200; ++i) nots += "not ";
    EXPECT_THROW(parse(nots + "all"), Error);
}

}  // namespace
}  // namespace tessera::docking
