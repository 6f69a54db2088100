#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "docking/model/coefficients.hpp"
#include "docking/pairs/pair_config.hpp"
#include "docking/pairs/pair_list.hpp"
#include "docking/pairs/pair_source.hpp"
#include "docking/pairs/pair_summary.hpp"
#include "io/temporary_folder.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {
namespace {

using Chains = std::vector<std::string>;

class PairList : public ::testing::Test {
  protected:
    std::vector<DockPair> read(const std::string& text) {
        const std::string path = folder_ / "pairs.csv";
        std::ofstream(path, std::ios::binary) << text;
        return read_pair_list(path, common_);
    }

    void expect_refused(const std::string& text, const std::string& words) {
        try {
            read(text);
            ADD_FAILURE() << "accepted:\n" << text;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
            EXPECT_EQ(error.code(), ExitCode::usage);
        }
    }

    test::TemporaryFolder folder_;
    DockInput common_;
};

TEST_F(PairList, TheOptionsOfAPairAreThoseOfItsRow) {
    const auto pairs = read("receptor,ligand,receptor_chains,antibody\nr.pdb,l.pdb,H;L,auto\n");
    const std::string config =
        config_of_pair("pairs = \"t.csv\"\nantibody = \"off\"\nspacing = \"1\"\n", pairs.at(0));
    EXPECT_EQ(config.find("pairs ="), std::string::npos) << config;
    EXPECT_EQ(config.find("\"off\""), std::string::npos) << config;
    for (const char* words : {"antibody = \"auto\"", "receptor-chains = [\"H\", \"L\"]", "spacing"})
        EXPECT_NE(config.find(words), std::string::npos) << config;
}

TEST_F(PairList, FilesOfRestraints) {
    common_.restraints.files = {"common.tbl"};
    const auto pairs =
        read("receptor,ligand,name,restraints\nr.pdb,l.pdb,a,air.tbl; sub/x y.csv ;\n"
             "r.pdb,l.pdb,b,\n");
    EXPECT_EQ(pairs.at(0).input.restraints.files,
              (std::vector<std::string>{folder_ / "air.tbl", folder_ / "sub/x y.csv"}));
    EXPECT_EQ(pairs.at(1).input.restraints.files, std::vector<std::string>{"common.tbl"});
    const std::string config = config_of_pair("restraints = [\"common.tbl\"]\n", pairs.at(0));
    EXPECT_EQ(config.find("common.tbl"), std::string::npos) << config;
    EXPECT_NE(config.find("sub/x y.csv\"]"), std::string::npos) << config;
}

TEST_F(PairList, MoleculesAreChosenForEachPair) {
    common_.keep = "none";
    const auto pairs =
        read("receptor,ligand,name,keep,drop\nr.pdb,l.pdb,a,receptor=HEM;ligand=all,CA\n"
             "r.pdb,l.pdb,b,,\n");
    EXPECT_EQ(pairs.at(0).input.keep, "receptor=HEM;ligand=all");
    EXPECT_EQ(pairs.at(0).input.drop, "CA");
    EXPECT_EQ(pairs.at(1).input.keep, "none");
    EXPECT_EQ(pairs.at(1).input.drop, "");
    const std::string config = config_of_pair("keep = \"none\"\n", pairs.at(0));
    EXPECT_EQ(config.find("none"), std::string::npos) << config;
    EXPECT_NE(config.find("keep = \"receptor=HEM;ligand=all\""), std::string::npos) << config;
    expect_refused("receptor,ligand,keep\nr.pdb,l.pdb,none;HEM\n", "line 2: --keep 'none;HEM'");
}

TEST_F(PairList, PlddtOfARow) {
    common_.plddt = "50";
    const auto pairs = read("receptor,ligand,name,plddt\nr.pdb,l.pdb,a,receptor=70;ligand=off\n"
                            "r.pdb,l.pdb,b,\n");
    EXPECT_EQ(pairs.at(0).input.plddt, "receptor=70;ligand=off");
    EXPECT_EQ(pairs.at(1).input.plddt, "50");
    const std::string config = config_of_pair("plddt = \"50\"\n", pairs.at(0));
    EXPECT_EQ(config.find("\"50\""), std::string::npos) << config;
    EXPECT_NE(config.find("plddt = \"receptor=70;ligand=off\""), std::string::npos) << config;
    expect_refused("receptor,ligand,plddt\nr.pdb,l.pdb,170\n",
                   "line 2: --plddt 170 is out of range");
}

TEST_F(PairList, ColumnsInAnyOrderPathsFromTheTablesFolder) {
    const auto pairs = read("ligand,name,receptor\r\n# a remark\r\nl.pdb,first,sub/../r.pdb\r\n\r\n"
                            "/away/l2.pdb,,deep/r.cif.gz\r\n");
    ASSERT_EQ(pairs.size(), 2U);
    EXPECT_EQ(pairs[0].name, "first");
    EXPECT_EQ(pairs[0].line, 3);
    EXPECT_EQ(pairs[0].input.receptor_path, folder_ / "r.pdb");
    EXPECT_EQ(pairs[0].input.ligand_path, folder_ / "l.pdb");
    EXPECT_EQ(pairs[1].name, "r_l2");
    EXPECT_EQ(pairs[1].input.receptor_path, folder_ / "deep/r.cif.gz");
    EXPECT_EQ(pairs[1].input.ligand_path, "/away/l2.pdb");
}

TEST_F(PairList, AntibodyOverridesWhatAllRowsHave) {
    common_.antibody = "auto";
    const auto pairs = read("receptor,ligand,name,antibody\nr,l,a,nanobody\nr,l,b,\n");
    EXPECT_EQ(pairs[0].input.antibody, "nanobody");
    EXPECT_EQ(pairs[1].input.antibody, "auto");
    expect_refused("receptor,ligand,name,antibody\nr,l,a,camel\n", "line 2: unknown form");
}

TEST_F(PairList, MembranesOfRows) {
    common_.membrane.slab = "-9,9";
    common_.membrane.axis = "1,0,0";
    const auto pairs = read("receptor,ligand,name,membrane\nr,l,a,\"-15,15\"\nr,l,b,\n");
    EXPECT_EQ(pairs[0].input.membrane.slab, "-15,15");
    EXPECT_EQ(pairs[0].input.membrane.axis, "1,0,0");
    EXPECT_EQ(pairs[1].input.membrane.slab, "-9,9");
    const std::string config = config_of_pair("membrane = \"-9,9\"\n", pairs[0]);
    EXPECT_NE(config.find("membrane = \"-15,15\""), std::string::npos) << config;
    EXPECT_EQ(config.find("-9,9"), std::string::npos) << config;
    expect_refused("receptor,ligand,membrane\nr,l,15\n", "line 2: --membrane '15' is not a slab");
}

TEST_F(PairList, RingsHaveNoLigand) {
    common_.symmetry.axes = 200;
    const auto pairs = read("receptor,ligand,symmetry,receptor_chains,membrane\nr.pdb,,C3,A,\n"
                            "r.pdb,l.pdb,,,\nq.pdb,q.pdb,D2,,\n");
    EXPECT_EQ(pairs[0].name, "r_C3");
    EXPECT_EQ(pairs[0].input.ligand_path, pairs[0].input.receptor_path);
    EXPECT_EQ(pairs[0].input.ligand_chains, Chains{"A"});
    EXPECT_EQ(pairs[0].input.symmetry.axes, 200);
    EXPECT_TRUE(has_own_search(pairs[0].input));
    EXPECT_FALSE(has_own_search(pairs[1].input));
    EXPECT_EQ(to_json(pairs[1].input).find("axes"), std::string::npos);
    EXPECT_EQ(pairs[1].input.symmetry.axes, default_axes);
    EXPECT_TRUE(pairs[2].input.symmetry.dihedral);
    const std::string all = "axes = \"200\"\nligand = \"x.pdb\"\nspacing = \"2\"\n";
    const std::string ring = config_of_pair(all, pairs[0]), pair = config_of_pair(all, pairs[1]);
    EXPECT_NE(ring.find("symmetry = \"C3\""), std::string::npos) << ring;
    EXPECT_NE(ring.find("axes = 200"), std::string::npos) << ring;
    EXPECT_EQ(ring.find("ligand"), std::string::npos) << ring;
    EXPECT_EQ(pair.find("axes"), std::string::npos) << pair;
    expect_refused("receptor,ligand\nr,l\n", "--axes is given, but no row");
    expect_refused("receptor,symmetry\nr,T\n", "line 2: --symmetry 'T' cannot be docked");
    expect_refused("receptor,ligand,symmetry\nr,l,C3\n", "line 2: a ligand is given");
    expect_refused("receptor,symmetry,membrane\nr,D2,\"-9,9\"\n", "line 2: --membrane cannot be");
    common_.rotations = 600;
    expect_refused("receptor,symmetry\nr,C2\n", "give the number of axes with --axes");
}

TEST_F(PairList, ConformersOfRows) {
    common_.ensemble.rmsd = 1.5;
    const auto pairs = read("receptor,ligand,name,conformers,ligand_models,add_receptor\n"
                            "r.pdb,l.pdb,a,5,,\nr.pdb,l.pdb,b,,1;3-5,other.pdb; sub/third.pdb\n"
                            "r.pdb,l.pdb,c,,,\n");
    EXPECT_EQ(pairs[0].input.ensemble.conformers, 5);
    EXPECT_EQ(pairs[0].input.ensemble.rmsd, 1.5);
    EXPECT_EQ(pairs[1].input.ensemble.ligand_models, "1,3-5");
    EXPECT_EQ(pairs[1].input.ensemble.receptor_files,
              (std::vector<std::string>{folder_ / "other.pdb", folder_ / "sub/third.pdb"}));
    EXPECT_TRUE(has_own_search(pairs[1].input));
    EXPECT_FALSE(has_own_search(pairs[2].input));
    EXPECT_EQ(pairs[2].input.ensemble.rmsd, 1.0);
    const std::string config = config_of_pair("conformer-rmsd = \"1.5\"\n", pairs[1]);
    EXPECT_EQ(config.find("rmsd"), std::string::npos) << config;
    for (const char* words : {"ligand-models = \"1,3-5\"", "add-receptor = [", "third.pdb"})
        EXPECT_NE(config.find(words), std::string::npos) << config;
    EXPECT_EQ(config_of_pair("spacing = \"1\"\n", pairs[2]).find("conformers"), std::string::npos);
    expect_refused("receptor,ligand,conformers\nr,l,many\n", "is no number of conformers");
    expect_refused("receptor,ligand,conformers,ligand_models\nr,l,5,all\n", "line 2: --conformers");
    expect_refused("receptor,ligand\nr,l\n", "--conformer-rmsd is given, but no row");
    common_.ensemble.ligand_conformers = 3;
    expect_refused("receptor,ligand,conformers\nr,l,5\n", "--ligand-conformers");
}

TEST_F(PairList, MembraneProteinsOfRows) {
    const auto pairs = read("receptor,ligand,name,membrane,membrane_ligand\n"
                            "r,l,a,\"-15,15\",\"-14,14\"\nr,l,b,\"-15,15\",\n");
    EXPECT_EQ(pairs[0].input.membrane.ligand_slab, "-14,14");
    EXPECT_TRUE(has_own_search(pairs[0].input));
    EXPECT_FALSE(has_own_search(pairs[1].input));
    expect_refused("receptor,ligand,membrane_ligand\nr,l,\"-14,14\"\n",
                   "--membrane-ligand is given without --membrane");
}

TEST_F(PairList, ChainsAndReferenceOverrideWhatAllRowsHave) {
    common_.receptor_chains = {"X"};
    common_.rotations = 480;
    const auto pairs = read("receptor,ligand,name,reference,receptor_chains,ligand_chains,"
                            "reference_ligand_chains\n"
                            "r,l,a,c.pdb,A;B,\"C,D\",E F\n"
                            "r,l,b,,,,\n");
    EXPECT_EQ(pairs[0].input.receptor_chains, (Chains{"A", "B"}));
    EXPECT_EQ(pairs[0].input.ligand_chains, (Chains{"C", "D"}));
    EXPECT_EQ(pairs[0].input.reference_ligand_chains, (Chains{"E", "F"}));
    EXPECT_EQ(pairs[0].input.reference_path, folder_ / "c.pdb");
    EXPECT_EQ(pairs[1].input.receptor_chains, Chains{"X"});
    EXPECT_EQ(pairs[1].input.reference_path, "");
    EXPECT_EQ(pairs[1].input.rotations, 480);
}

TEST_F(PairList, SpreadsheetsMarkAndQuotedQuotes) {
    const auto pairs = read("\xEF\xBB\xBFreceptor,ligand\n\"a \"\"b\"\", c.pdb\",l.pdb\n");
    EXPECT_EQ(pairs[0].input.receptor_path, folder_ / "a \"b\", c.pdb");
}

TEST_F(PairList, WhatCannotBeUnderstoodIsRefusedWithItsLine) {
    expect_refused("receptor\nr\n", "no column 'ligand'");
    expect_refused("receptor,ligand,colour\nr,l,red\n", "unknown column 'colour'");
    expect_refused("receptor,ligand,ligand\nr,l,l\n", "appears twice");
    expect_refused("receptor,ligand\n", "no rows");
    expect_refused("receptor,ligand\nr,l\nr,l,x\n", "line 3: 3 fields instead of 2");
    expect_refused("receptor,ligand\n,l\n", "line 2: receptor or ligand is missing");
    expect_refused("receptor,ligand,name\nr,l,one\nq,l,one\n", "also the output of line 2");
    expect_refused("a/x.pdb,b\n", "unknown column");
    expect_refused("receptor,ligand,name\nr,l,one\nq,l,One\n", "capitals do not count");
    for (const char* name : {"../away", ".hidden", "a\tb", "a\\b", "=1+1", "+x", "-x", "@x"})
        expect_refused(std::string("receptor,ligand,name\nr,l,") + name + "\n",
                       "not a name for a file");
    expect_refused("receptor,ligand,reference_receptor_chains\nr,l,A\n", "without a reference");
}

TEST_F(PairList, GroupsAreNeighboursWithOneReceptor) {
    const auto pairs =
        read("receptor,ligand,name,receptor_chains\nr,1,1,\nr,2,2,\nr,3,3,\nr,4,4,A\n"
             "q,5,5,\nr,6,6,\n");
    const ListedPairs all(pairs);
    EXPECT_EQ(receptor_groups(all, 100), (std::vector<int>{3, 1, 1, 1}));
    EXPECT_EQ(receptor_groups(all, 2), (std::vector<int>{2, 1, 1, 1, 1}));
    EXPECT_TRUE(receptor_groups(ListedPairs({}), 2).empty());
}

TEST_F(PairList, SomePairsAreThoseThatWereChosen) {
    const ListedPairs all(read("receptor,ligand\nr,1\nr,2\nq,3\nr,4\n"));
    const SomePairs left(all, {0, 2, 3});
    ASSERT_EQ(left.size(), 3U);
    EXPECT_EQ(left.name(1), all.name(2));
    EXPECT_EQ(left.pair(2).line, all.pair(3).line);
    EXPECT_EQ(receptor_groups(left, 9), (std::vector<int>{1, 1, 1}));
    EXPECT_EQ(receptor_groups(SomePairs(all, {0, 3}), 9), (std::vector<int>{2}));
}

std::size_t commas(const std::string& line) { return std::count(line.begin(), line.end(), ','); }

TEST(PairSummary, RowsWithoutResultHaveAsManyFieldsAsTheHeader) {
    for (const bool references : {false, true}) {
        const SummaryFormat format{default_coefficient_sets(), references};
        EXPECT_EQ(commas(format.header()),
                  5 + default_coefficient_sets().size() * (references ? 4 : 1));
        EXPECT_EQ(commas(format.row("name", "unfinished", "")), commas(format.header()));
    }
}

TEST(PairSummary, ReasonsAreQuotedWhereTheyMustBe) {
    EXPECT_EQ(io::csv_field("plain"), "plain");
    EXPECT_EQ(io::csv_field("a, \"b\""), "\"a, \"\"b\"\"\"");
    EXPECT_EQ(io::csv_field("=1+1"), "'=1+1");
    EXPECT_EQ(io::csv_field("-2, \x1b[2J\n"), "\"'-2, \\x1b[2J\\x0a\"");
}

}  // namespace
}  // namespace tessera::docking
