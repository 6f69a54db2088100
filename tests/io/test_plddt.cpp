// How pLDDT is told from B factors.
#include "io/proteins/plddt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "io/proteins/file_origin.hpp"
#include "io/structure_texts.hpp"

namespace tessera::io {
namespace {

using Values = std::vector<double>;

const Values usual{91.5, 88, 47.25, 66, 72, 95};

/// Residues of three atoms. `own` is added to the B column of the second atom, the C-alpha.
std::string pdb_atoms(const Values& b_column, double own = 0) {
    std::string text;
    for (std::size_t r = 0; r < b_column.size(); ++r)
        for (const char* name : {" N  ", " CA ", " C  "}) {
            const bool alpha = std::string(name) == " CA ";
            test::Line line;
            line.name = name;
            line.number = static_cast<int>(r) + 1;
            line.x = 4.0 * static_cast<double>(r) + (alpha ? 1.4 : 0);
            std::string atom = test::pdb(line);
            char column[8];
            std::snprintf(column, sizeof column, "%6.2f", b_column[r] + (alpha ? own : 0));
            text += atom.replace(60, 6, column);
        }
    return text + "TER\nEND\n";
}

Plddt of_pdb(const std::string& head, const Values& b_column = usual, double own = 0) {
    return test::read_text(head + pdb_atoms(b_column, own)).plddt;
}

Plddt named(const std::string& path) {
    return parse_structure({path, pdb_atoms(usual), "structure", ""}).plddt;
}

/// The head of an entry of the AlphaFold database.
const std::string alphafold =
    "HEADER                                            01-JUN-22                     \n"
    "TITLE     ALPHAFOLD MONOMER V2.0 PREDICTION FOR INSULIN (P01308)                \n"
    "COMPND    MOL_ID: 1;                                                            \n"
    "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1          \n"
    "MODEL        1                                                                  \n";

TEST(Plddt, PdbFileOfTheAlphaFoldDatabase) {
    const Plddt plddt = of_pdb(alphafold);
    EXPECT_EQ(plddt.values, usual);
    EXPECT_EQ(plddt.source, "the B column, as TITLE names AlphaFold");
    EXPECT_EQ(plddt.problem, "");
}

TEST(Plddt, EsmFoldWritesFractions) {
    const Plddt plddt = of_pdb("TITLE     ESMFOLD V1 PREDICTION FOR INPUT\n", {0.25, 0.5, 1, 0.75});
    EXPECT_EQ(plddt.values, (Values{25, 50, 100, 75}));
    EXPECT_EQ(plddt.source, "the B column, as TITLE names ESMFold");
}

TEST(Plddt, AtomsOfAResidueMayDiffer) {
    const Plddt plddt = of_pdb("TITLE     ESMFOLD V1 PREDICTION\n", {30, 50, 80}, 5);
    EXPECT_EQ(plddt.values, (Values{35, 55, 85})) << "the C-alphas";
}

TEST(Plddt, ARemarkMaySayIt) {
    EXPECT_EQ(of_pdb("REMARK   1 THE B-FACTOR COLUMN HOLDS PLDDT\n").values, usual);
    EXPECT_TRUE(of_pdb("REMARK   1 SUPERPOSED ON AN ALPHAFOLD MODEL\n").values.empty());
}

TEST(Plddt, CrystalStructuresNeverHaveIt) {
    // Entries of the PDB that were solved with a predicted model name it in several places.
    const std::string title = "TITLE     CRYSTAL STRUCTURE SOLVED WITH ALPHAFOLD\n";
    for (const char* shown :
         {"EXPDTA    X-RAY DIFFRACTION\n", "EXPDTA    SOLUTION NMR\n",
          "EXPDTA    ELECTRON MICROSCOPY\n", "REMARK   2 RESOLUTION.    1.90 ANGSTROMS.\n",
          "CRYST1   52.000   58.600   61.900  90.00  90.00  90.00 P 21 21 21    8\n"}) {
        const Plddt plddt = of_pdb(title + shown);
        EXPECT_TRUE(plddt.values.empty()) << shown;
        EXPECT_FALSE(plddt.may_be) << shown;
        EXPECT_NE(plddt.problem.find("experiment"), std::string::npos) << plddt.problem;
    }
    EXPECT_TRUE(of_pdb("REMARK 200  STARTING MODEL: ALPHAFOLD\n", usual, 3).values.empty());
    EXPECT_EQ(of_pdb("REMARK   2 RESOLUTION. NOT APPLICABLE.\n" + alphafold).values, usual);
    EXPECT_EQ(of_pdb("EXPDTA    THEORETICAL MODEL\n" + alphafold).values, usual);
}

TEST(Plddt, AFileThatSaysNothingHasNone) {
    for (const double own : {0.0, 2.5}) {
        const Plddt plddt = of_pdb("", usual, own);
        EXPECT_TRUE(plddt.values.empty());
        EXPECT_EQ(plddt.may_be, own == 0) << "B factors differ within a residue";
    }
    EXPECT_FALSE(of_pdb("", {0, 1, 0, 0, 1, 1}).may_be) << "marks";
    EXPECT_FALSE(of_pdb("", {120, 88, 47.25, 66, 72, 95}).may_be);
}

TEST(Plddt, TheNameOfAFileCountsIfItsBColumnFits) {
    const std::string colabfold = "/x/p_unrelaxed_rank_001_alphafold2_ptm_model_3_seed_000.pdb";
    EXPECT_EQ(named(colabfold).values, usual);
    EXPECT_EQ(named(colabfold).source, "the B column, as the file's name has AlphaFold");
    EXPECT_EQ(named("AF-P01308-F1-model_v4.pdb").values, usual);
    EXPECT_TRUE(named("/alphafold/1abc.pdb").values.empty()) << "the folder does not count";
    EXPECT_TRUE(
        parse_structure({colabfold, pdb_atoms(usual, 3), "structure", ""}).plddt.values.empty());
    EXPECT_EQ(predictor_in("AF-X"), "");
    EXPECT_EQ(predictor_in("Boltzmann sampling"), "");
}

TEST(Plddt, AColumnThatCannotBePlddtIsAProblem) {
    const auto problem = [](const Values& values) {
        const Plddt plddt = of_pdb(alphafold, values);
        EXPECT_TRUE(plddt.values.empty());
        EXPECT_FALSE(plddt.source.empty()) << "it is a predicted model all the same";
        return plddt.problem;
    };
    EXPECT_EQ(problem({1, 1, 1, 1}), "all of its values are the same");
    EXPECT_EQ(problem({0, 0, 0}), "all of its values are the same");
    EXPECT_EQ(problem({50, 100.5, 60}), "it has values outside of 0 to 100");
    EXPECT_EQ(problem({50, -1, 60}), "it has values outside of 0 to 100");
    const Structure crystal = test::read_text("EXPDTA    X-RAY DIFFRACTION\n" + pdb_atoms(usual));
    EXPECT_EQ(plddt_of_b_column(crystal.atoms).values, usual) << "where a user forces it";
}

/// Six residues with B factors of 50; the second lies in the chain with the author's name X.
std::string cif(const std::string& categories) {
    std::string text = "data_TEST\n" + categories +
                       "loop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n"
                       "_atom_site.label_atom_id\n_atom_site.label_comp_id\n"
                       "_atom_site.label_asym_id\n_atom_site.label_seq_id\n"
                       "_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n_atom_site.Cartn_x\n"
                       "_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.B_iso_or_equiv\n";
    for (int r = 1; r <= 6; ++r) {
        const std::string number = std::to_string(r);
        text += "ATOM " + number + " C CA ALA A " + number + " X " + std::to_string(r + 100) + " " +
                number + "0 0 0 5" + number + "\n";
    }
    return text;
}

const std::string metrics =
    "loop_\n_ma_qa_metric.id\n_ma_qa_metric.mode\n_ma_qa_metric.name\n_ma_qa_metric.type\n"
    "1 global pLDDT pLDDT\n2 local pLDDT pLDDT\n3 local PAE PAE\n";

const std::string local =
    "loop_\n_ma_qa_metric_local.label_asym_id\n_ma_qa_metric_local.label_comp_id\n"
    "_ma_qa_metric_local.label_seq_id\n_ma_qa_metric_local.metric_id\n"
    "_ma_qa_metric_local.metric_value\n_ma_qa_metric_local.model_id\n"
    "A ALA 1 2 90.5 1\nA ALA 2 2 40 1\nA ALA 3 3 1 1\nA ALA 4 2 ? 1\nA ALA 5 2 80 1\n"
    "A ALA 6 2 70 1\nA ALA 6 2 20 2\n";

TEST(Plddt, ModelCif) {
    const Plddt plddt = test::read_text(cif(metrics + local)).plddt;
    EXPECT_EQ(plddt.source, "_ma_qa_metric_local");
    ASSERT_EQ(plddt.values.size(), 6U);
    EXPECT_EQ(plddt.values[0], 90.5);
    EXPECT_EQ(plddt.values[1], 40);
    EXPECT_TRUE(std::isnan(plddt.values[2])) << "another metric";
    EXPECT_TRUE(std::isnan(plddt.values[3])) << "no value";
    EXPECT_EQ(plddt.values[5], 70) << "of the first model";
}

TEST(Plddt, ModelCifWithoutValuesOfResidues) {
    const Plddt plddt = test::read_text(cif(metrics)).plddt;
    EXPECT_EQ(plddt.values, (Values{51, 52, 53, 54, 55, 56}));
    EXPECT_EQ(plddt.source, "the B column, as _ma_qa_metric names pLDDT");
}

TEST(Plddt, OtherScoresOfModelCif) {
    const std::string qmean =
        "_ma_qa_metric.id 2\n_ma_qa_metric.mode local\n_ma_qa_metric.name QMEANDisCo\n"
        "_ma_qa_metric.type 'pLDDT all-atom in [0,1]'\n";
    EXPECT_TRUE(test::read_text(cif(qmean + local)).plddt.values.empty());
}

TEST(Plddt, TextsOfAnMmcifFile) {
    for (const char* text :
         {"_entry.id AF-P01308-F1\n", "_struct.title 'AlphaFold prediction for insulin'\n",
          "loop_\n_software.name\ngemmi\nAlphaFold\n",
          "_ma_model_list.model_name 'Boltz-2 model'\n"}) {
        EXPECT_EQ(test::read_text(cif(text)).plddt.values.size(), 6U) << text;
        for (const char* experiment :
             {"_exptl.method 'X-RAY DIFFRACTION'\n", "_refine.ls_d_res_high 1.9\n",
              "_cell.length_a 52.0\n_cell.length_b 58.6\n_cell.length_c 61.9\n"})
            EXPECT_TRUE(test::read_text(cif(std::string(text) + experiment)).plddt.values.empty())
                << text << experiment;
    }
    EXPECT_TRUE(test::read_text(cif("_struct.title 'insulin'\n")).plddt.values.empty());
}

TEST(Plddt, OfTheChosenChainsOnly) {
    std::string text = alphafold + pdb_atoms({90, 40, 80});
    text.resize(text.size() - std::string("TER\nEND\n").size());
    std::string other = pdb_atoms({95, 35});
    for (std::size_t at = 0; (at = other.find("ALA A", at)) != std::string::npos;)
        other.replace(at, 5, "ALA B");
    EXPECT_EQ(test::read_text(text + other).plddt.values, (Values{90, 40, 80, 95, 35}));
    EXPECT_EQ(test::read_text(text + other, {"B"}).plddt.values, (Values{95, 35}));
}

}  // namespace
}  // namespace tessera::io
