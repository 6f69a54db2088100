// mmCIF files and PDB files of several models, read back with gemmi and with our own reader.
#include <gtest/gtest.h>

#include <cstdint>  // gemmi uses its types without it
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gemmi/cif.hpp>
#include <gemmi/mmcif.hpp>
#include <gemmi/pdb.hpp>

#include "io/proteins/mmcif_writer.hpp"
#include "io/proteins/pdb_writer.hpp"
#include "structure_texts.hpp"
#include "temporary_folder.hpp"

namespace {

using tessera::Vec3;
using namespace tessera::io;
using tessera::test::TemporaryFolder;

/// Three residues: the last one is in a second segment, one has an insertion code.
Structure small_partner(const std::string& chain) {
    Structure partner;
    const char* names[] = {"N", "CA", "C", "CA", "O5\"'X"};
    const int residues[] = {0, 0, 0, 1, 2};
    for (int i = 0; i < 5; ++i) {
        AtomRecord atom;
        atom.name = names[i];
        atom.residue = i < 3 ? "GLY" : "MET";
        atom.chain = chain;
        atom.residue_number = 7 - residues[i];
        atom.insertion_code = residues[i] == 1 ? 'B' : ' ';
        atom.segment = residues[i] / 2;
        atom.residue_index = residues[i];
        atom.element = std::string(1, names[i][0]);
        atom.b_factor = 12.5 + i;
        atom.position = {1.5 * i, -20.125, 3};
        partner.atoms.push_back(atom);
    }
    return partner;
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

gemmi::Structure read_with_gemmi(const std::string& path) {
    if (path.ends_with(".pdb")) return gemmi::read_pdb_string(text_of(path), path);
    const auto document = gemmi::cif::read_string(text_of(path));
    return gemmi::make_structure_from_block(document.sole_block());
}

/// All atoms of a model, in order, as one text each.
std::vector<std::string> atoms_of(const gemmi::Model& model) {
    std::vector<std::string> atoms;
    for (const gemmi::Chain& chain : model.chains)
        for (const gemmi::Residue& residue : chain.residues)
            for (const gemmi::Atom& atom : residue.atoms) {
                char text[200];
                std::snprintf(text, sizeof text, "%s %s%s %s %s %.3f %.3f %.3f %.2f",
                              chain.name.c_str(), residue.name.c_str(), residue.seqid.str().c_str(),
                              atom.name.c_str(), atom.element.name(), atom.pos.x, atom.pos.y,
                              atom.pos.z, atom.b_iso);
                atoms.push_back(text);
            }
    return atoms;
}

std::vector<ComplexModel> two_models(const Structure& receptor, const Structure& ligand) {
    const std::vector<Vec3> moved(5, Vec3{-1, 2.25, 999.5});
    return {{{"tessera dock, first", "score 'a' \"b\""},
             {{&receptor, {}, "receptor"}, {&ligand, {}, "ligand"}}},
            {{"tessera dock, second"}, {{&receptor, {}, "receptor"}, {&ligand, moved, "ligand"}}}};
}

TEST(WriteMmcif, ReadsBackTheSameAtomsInEveryModel) {
    const Structure receptor = small_partner("Heavy1"), ligand = small_partner("");
    const TemporaryFolder folder;
    write_mmcif(folder / "top.cif", two_models(receptor, ligand));
    const gemmi::Structure read = read_with_gemmi(folder / "top.cif");
    ASSERT_EQ(read.models.size(), 2U);
    const auto first = atoms_of(read.models[0]), second = atoms_of(read.models[1]);
    ASSERT_EQ(first.size(), 10U);
    EXPECT_EQ(first[1], "Heavy1 GLY7 CA C 1.500 -20.125 3.000 13.50");
    EXPECT_EQ(first[3], "Heavy1 MET6B CA C 4.500 -20.125 3.000 15.50");
    EXPECT_EQ(first[4], "Heavy1 MET5 O5\"'X O 6.000 -20.125 3.000 16.50");
    EXPECT_EQ(first[5], "A GLY7 N N 0.000 -20.125 3.000 12.50");
    EXPECT_EQ(second[0], first[0]);
    EXPECT_EQ(second[9], "A MET5 O5\"'X O -1.000 2.250 999.500 16.50");
}

TEST(WriteMmcif, OurOwnReaderFindsChainsSegmentsAndRemarks) {
    const Structure receptor = small_partner("Heavy1"), ligand = small_partner("B");
    const TemporaryFolder folder;
    write_mmcif(folder / "top.cif", two_models(receptor, ligand));
    const Structure read = read_structure(folder / "top.cif");
    ASSERT_EQ(read.atoms.size(), 10U);
    for (std::size_t i = 0; i < 10; ++i) {
        const AtomRecord& wanted = (i < 5 ? receptor : ligand).atoms[i % 5];
        EXPECT_EQ(read.atoms[i].name, wanted.name);
        EXPECT_EQ(read.atoms[i].chain, wanted.chain);
        EXPECT_EQ(read.atoms[i].insertion_code, wanted.insertion_code);
        EXPECT_EQ(read.atoms[i].segment, wanted.segment + (i < 5 ? 0 : 2));
        EXPECT_EQ(read.atoms[i].residue_index, wanted.residue_index + (i < 5 ? 0 : 3));
    }
    const std::string text = text_of(folder / "top.cif");
    EXPECT_EQ(text.substr(0, text.find('\n')), "# tessera dock, first");
    auto document = gemmi::cif::read_string(text);
    auto remarks = document.sole_block().find("_tessera_remark.", {"pdbx_PDB_model_num", "text"});
    ASSERT_EQ(remarks.length(), 3U);
    EXPECT_EQ(remarks.at(1).str(1), "score 'a' \"b\"");
    EXPECT_EQ(remarks.at(2).str(0), "2");
}

TEST(WriteMmcif, ChainNamesThatNeedQuotesAreReplaced) {
    const Structure receptor = small_partner("A;quit"), ligand = small_partner("loop_");
    const TemporaryFolder folder;
    write_mmcif(folder / "top.cif", {{{"one"}, {{&receptor, {}, ""}, {&ligand, {}, ""}}}});
    const Structure read = read_structure(folder / "top.cif");
    EXPECT_EQ(chains_of(read), (std::vector<std::string>{"A", "B"}));
}

TEST(WritePdbModels, ReadsBackTheSameAtomsInEveryModel) {
    Structure receptor = small_partner("A"), ligand = small_partner("");
    for (Structure* partner : {&receptor, &ligand}) partner->atoms[4].name = "O";
    const TemporaryFolder folder;
    write_pdb_models(folder / "top.pdb", {"tessera dock, clusters"}, two_models(receptor, ligand),
                     {1, false, false});
    const gemmi::Structure read = read_with_gemmi(folder / "top.pdb");
    ASSERT_EQ(read.models.size(), 2U);
    const auto first = atoms_of(read.models[0]), second = atoms_of(read.models[1]);
    ASSERT_EQ(first.size(), 10U);
    EXPECT_EQ(first[3], "A MET6B CA C 4.500 -20.125 3.000 15.50");
    EXPECT_EQ(first[5], "B GLY7 N N 0.000 -20.125 3.000 12.50");
    EXPECT_EQ(second[0], first[0]);
    EXPECT_EQ(second[9], "B MET5 O O -1.000 2.250 999.500 16.50");
    const std::string text = text_of(folder / "top.pdb");
    EXPECT_TRUE(text.starts_with("REMARK   6 tessera dock, clusters\n"
                                 "REMARK   6 model 1: tessera dock, first\n"));
    EXPECT_NE(text.find("REMARK   6 model 2: tessera dock, second\n"
                        "REMARK   6 chain (blank) of the ligand is chain B here\nMODEL        1"),
              std::string::npos);
}

}  // namespace
