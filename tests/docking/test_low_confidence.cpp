// Which residues of predicted models are left out, and what stays.
#include "docking/model/low_confidence.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "docking/result/low_confidence_file.hpp"
#include "io/hdf5/h5.hpp"
#include "io/temporary_folder.hpp"

namespace tessera::docking {
namespace {

using Values = std::vector<double>;

/// Two atoms for each letter: h has a high pLDDT of 90, l a low one of 40, a blank begins a chain.
io::Structure model(const std::string& letters) {
    io::Structure structure;
    structure.path = "m.pdb";
    structure.plddt.source = "the B column, as TITLE names AlphaFold";
    char chain = 'A';
    int number = 0;
    for (const char letter : letters) {
        if (letter == ' ') {
            ++chain;
            number = 0;
            continue;
        }
        const double value = letter == 'h' ? 90 : 40;
        const int index = static_cast<int>(structure.plddt.values.size());
        structure.plddt.values.push_back(value);
        ++number;
        for (const char* name : {"N", "CA"}) {
            io::AtomRecord& atom = structure.atoms.emplace_back();
            atom.name = name;
            atom.residue = atom.variant = "ALA";
            atom.chain = std::string(1, chain);
            atom.residue_number = number;
            atom.residue_index = index;
            atom.segment = chain - 'A';
            atom.b_factor = value;
            atom.position = {1.0 * index, 2, 3};
        }
    }
    return structure;
}

/// The letters that are left, in capitals, and x for those that are cut.
std::string after_cut(const std::string& letters) {
    const io::Structure structure = model(letters);
    std::string residues;
    for (const char letter : letters)
        if (letter != ' ') residues += letter;
    for (const int residue : low_residues(structure, structure.plddt.values, 70))
        residues[static_cast<std::size_t>(residue)] = 'x';
    return residues;
}

TEST(LowConfidence, TailsAndLoops) {
    EXPECT_EQ(after_cut("hhhhhh"), "hhhhhh");
    EXPECT_EQ(after_cut("llhhhhhl"), "xxhhhhhx");
    EXPECT_EQ(after_cut("hhhhllllhhhh"), "hhhhxxxxhhhh");
    EXPECT_EQ(after_cut("llll"), "xxxx");
}

TEST(LowConfidence, ShortGapsWithinAChainStay) {
    EXPECT_EQ(after_cut("hhhhlllhhhh"), "hhhhlllhhhh");
    EXPECT_EQ(after_cut("hhhhlh lhhhh"), "hhhhlhxhhhh") << "the end of a chain is a tail";
}

TEST(LowConfidence, ShortIslandsInATailGo) {
    EXPECT_EQ(after_cut("hhhhhllllhhhllll"), "hhhhhxxxxxxxxxxx");
    EXPECT_EQ(after_cut("hhhhhllllhhhhllll"), "hhhhhxxxxhhhhxxxx");
    EXPECT_EQ(after_cut("hhlllllhhhhh"), "xxxxxxxhhhhh") << "at the end of a chain";
    EXPECT_EQ(after_cut("hhh llll"), "hhhxxxx") << "a whole chain is no island";
}

TEST(LowConfidence, AResidueWithoutAValueIsNotLow) {
    const io::Structure structure = model("lhhhhh");
    Values plddt = structure.plddt.values;
    plddt[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(low_residues(structure, plddt, 70).empty());
    EXPECT_EQ(low_residues(structure, structure.plddt.values, 40).size(), 0U) << "not below";
}

TEST(LowConfidence, WhatIsLeftIsNumberedAnew) {
    const io::Structure whole = model("llhh llll hhhh");
    const io::Structure rest = without_residues(whole, {0, 1, 4, 5, 6, 7});
    const io::Structure wanted = model("hh hhhh");
    ASSERT_EQ(rest.atoms.size(), wanted.atoms.size());
    for (std::size_t i = 0; i < rest.atoms.size(); ++i) {
        EXPECT_EQ(rest.atoms[i].residue_index, wanted.atoms[i].residue_index);
        EXPECT_EQ(rest.atoms[i].segment, wanted.atoms[i].segment);
    }
    EXPECT_EQ(rest.atoms[0].residue_number, 3) << "numbers of the file stay";
    EXPECT_EQ(rest.residues_left_out, 6);
}

TEST(LowConfidence, CutsAndSaysSo) {
    io::Structure structure = model("llllhhhhhhllll");
    const CutPartner cut = cut_low_confidence("ligand", {}, structure);
    EXPECT_EQ(structure.atoms.size(), 12U);
    ASSERT_TRUE(cut.whole);
    EXPECT_EQ(cut.whole->atoms.size(), 28U);
    EXPECT_EQ(
        cut.message,
        "ligand: 8 of 14 residues below pLDDT 70 are left out (A 1-4, A 11-14); pLDDT from the "
        "B column, as TITLE names AlphaFold");
    io::Structure again = *cut.whole;
    EXPECT_EQ(cut_again("ligand", cut.low, again).whole->atoms.size(), 28U);
    EXPECT_EQ(again.atoms.size(), 12U);
    EXPECT_THROW(cut_again("ligand", cut.low, again), Error) << "another number of residues";
}

TEST(LowConfidence, RulesDecide) {
    const auto left = [](const std::string& rule, bool recognised) {
        io::Structure structure = model("llllhhhhhh");
        if (!recognised) structure.plddt = {{}, "", "the file does not say it", true};
        cut_low_confidence("receptor", parse_plddt(rule).receptor, structure);
        return structure.atoms.size() / 2;
    };
    EXPECT_EQ(left("auto", true), 6U);
    EXPECT_EQ(left("off", true), 10U);
    EXPECT_EQ(left("35", true), 10U);
    EXPECT_EQ(left("auto", false), 10U);
    EXPECT_EQ(left("70", false), 10U) << "a number for both takes recognised models only";
    EXPECT_EQ(left("receptor=70", false), 6U);
    EXPECT_EQ(left("ligand=70", false), 10U);
}

TEST(LowConfidence, ErrorsSayWhatToDo) {
    const auto error = [](const std::string& rule, io::Structure structure) -> std::string {
        try {
            cut_low_confidence("receptor", parse_plddt(rule).receptor, structure);
        } catch (const Error& caught) {
            return caught.what();
        }
        return "none";
    };
    EXPECT_EQ(error("auto", model("lllll")),
              "no residue of the receptor is left (all 5 residues of 'm.pdb' have a pLDDT below "
              "70): lower the threshold with --plddt, or keep them with --plddt off");
    io::Structure flat = model("hhhhh");
    flat.plddt = {{}, "", "the file does not say it", false};
    EXPECT_NE(error("receptor=50", flat).find("all of its values are the same"), std::string::npos);
    EXPECT_EQ(error("50", flat), "none");
    CutPartner none;
    none.no_plddt = "why";
    EXPECT_THROW(require_plddt(parse_plddt("50"), none, none), Error);
    EXPECT_NO_THROW(require_plddt(parse_plddt("auto"), none, none));
    CutPartner found;
    found.low.source = "TITLE";
    EXPECT_NO_THROW(require_plddt(parse_plddt("50"), none, found));
}

TEST(PlddtRule, IsReadForBothAndForEach) {
    using Kind = PlddtRule::Kind;
    EXPECT_EQ(parse_plddt("auto").ligand, (PlddtRule{Kind::automatic, 70}));
    EXPECT_EQ(parse_plddt("off").receptor.kind, Kind::off);
    EXPECT_EQ(parse_plddt("62.5").ligand, (PlddtRule{Kind::given, 62.5}));
    for (const char* text : {"receptor=50,ligand=off", "ligand=off; receptor=50"}) {
        const PlddtRules rules = parse_plddt(text);
        EXPECT_EQ(rules.receptor, (PlddtRule{Kind::forced, 50}));
        EXPECT_EQ(rules.ligand.kind, Kind::off);
    }
    EXPECT_EQ(parse_plddt("ligand=80").receptor, PlddtRule{});
    for (const char* text :
         {"", "on", "0", "0.7", "100.5", "-5", "nan", "inf", "70 ", "7x", "receptor=", "receptor=x",
          "=70", "receptor=70,receptor=60", "both=70", "receptor=70,off", "receptor=70=80"})
        EXPECT_THROW(parse_plddt(text), Error) << text;
}

TEST(LowConfidence, IsReadBackFromTheFile) {
    const test::TemporaryFolder folder;
    LeftOut stored;
    stored.ligand = {62.5, "TITLE", 20, {0, 1, 19}, "A 1-2, A 20"};
    io::h5::File file = io::h5::File::create(folder / "a.h5");
    io::h5::Group docking = file.root().group("docking");
    write_left_out(docking, {});
    EXPECT_FALSE(docking.contains("plddt")) << "nothing was used";
    write_left_out(docking, stored);
    const LeftOut read = read_left_out(docking);
    EXPECT_FALSE(read.receptor.is_used());
    EXPECT_EQ(read.ligand.threshold, 62.5);
    EXPECT_EQ(read.ligand.left_out, stored.ligand.left_out);
    EXPECT_EQ(describe(read.ligand),
              "3 of 20 residues below pLDDT 62.5 are left out (A 1-2, A 20)");
}

}  // namespace
}  // namespace tessera::docking
