// DNA and RNA in structure files.
#include <gtest/gtest.h>

#include <utility>

#include "io/proteins/mmcif_writer.hpp"
#include "structure_texts.hpp"

namespace {

using tessera::io::AtomRecord;
using tessera::io::Structure;
using namespace tessera::test;

/// P, O1P, C2', C1' and O3' of a nucleotide, with O2' on request. The next one is 6 A farther, so
/// that its P is 1.5 A from this O3'.
std::string nucleotide(const char* name, int number, double at, bool has_o2 = false,
                       char chain = 'D', const char* record = "ATOM  ") {
    const auto line = [&](const char* atom, double x, const char* element) {
        return pdb({.record = record,
                    .name = atom,
                    .residue = name,
                    .chain = chain,
                    .number = number,
                    .x = at + x,
                    .element = element});
    };
    return line(" P  ", 0, " P") + line(" O1P", 0.5, " O") + line(" C2'", 3, " C") +
           line(" C1'", 3.5, " C") + (has_o2 ? line(" O2'", 4, " O") : "") +
           line("H5''", 4.2, " H") + line(" O3'", 4.5, " O");
}

std::vector<std::string> residues_of(const Structure& structure,
                                     std::string AtomRecord::*name = &AtomRecord::residue) {
    std::vector<std::string> names;
    for (const AtomRecord& atom : structure.atoms)
        if (static_cast<std::size_t>(atom.residue_index) == names.size())
            names.push_back(atom.*name);
    return names;
}

using Names = std::vector<std::string>;

TEST(Nucleotides, AreReadWhereAFileHasNoProtein) {
    const Structure s = read_text(nucleotide(" DA", 1, 0) + nucleotide(" DC", 2, 6));
    ASSERT_EQ(s.atoms.size(), 10u);  // without hydrogens
    for (const AtomRecord& atom : s.atoms) EXPECT_TRUE(atom.nucleic);
    EXPECT_EQ(s.atoms[1].name, "OP1");
    EXPECT_EQ(s.atoms[1].element, "O");
    EXPECT_EQ(s.nucleic_atoms_skipped, 0);
    EXPECT_EQ(residues_of(s), (Names{"DA", "DC"}));
}

TEST(Nucleotides, HaveOneNameForEachBaseAndSugar) {
    const std::vector<std::pair<const char*, std::pair<const char*, const char*>>> known{
        {"ADE", {"DA", "A"}},  {"  G", {"DG", "G"}}, {"THY", {"DT", "U"}}, {" RC", {"C", "C"}},
        {"DT5", {"DT", "DT"}}, {" U3", {"DU", "U"}}, {" DI", {"DI", "DI"}}};
    for (const auto& [name, expected] : known) {
        const auto named = [&](bool has_o2) {
            return residues_of(
                read_text(nucleotide(name, 1, 0, has_o2) + nucleotide(" DC", 2, 6)))[0];
        };
        EXPECT_EQ(named(false), expected.first) << name;
        EXPECT_EQ(named(true), expected.second) << name;
    }
}

TEST(Nucleotides, ModifiedOnesKeepTheirNameAndHaveAParent) {
    const Structure s =
        read_text(nucleotide("5CM", 1, 0, false, 'D', "HETATM") +
                  nucleotide("XYZ", 2, 6, false, 'D', "HETATM") + nucleotide(" DG", 3, 12) +
                  nucleotide("LIG", 4, 60, false, 'D', "HETATM"));
    EXPECT_EQ(residues_of(s), (Names{"DC", "XYZ", "DG"}));
    EXPECT_EQ(residues_of(s, &AtomRecord::variant), (Names{"5CM", "XYZ", "DG"}));
    ASSERT_FALSE(s.hetero.empty());
    EXPECT_EQ(s.hetero.front().residue, "LIG");
}

TEST(Nucleotides, StayBesideAProteinUnlessTheirChainIsNamed) {
    const std::string text = pdb({}) + nucleotide(" DA", 1, 20) + nucleotide(" DC", 2, 26) +
                             nucleotide(" DG", 1, 80, false, 'E');
    const Structure all = read_text(text);
    EXPECT_EQ(all.atoms.size(), 1u);
    EXPECT_EQ(all.nucleic_atoms_skipped, 15);
    EXPECT_EQ(all.nucleic.size(), 15u);

    const Structure dna = read_text(text, {"D"});
    EXPECT_EQ(residues_of(dna), (Names{"DA", "DC"}));
    EXPECT_EQ(dna.nucleic_atoms_skipped, 0);

    const Structure both = read_text(text, {"A", "E"});
    EXPECT_EQ(residues_of(both), (Names{"ALA", "DG"}));
    EXPECT_FALSE(both.atoms.front().nucleic);
    EXPECT_EQ(both.atoms.back().segment, 1);
    EXPECT_NE(error_of(text, {"X"}).find("chains of proteins and nucleic acids A, D, E"),
              std::string::npos);
}

TEST(Nucleotides, AChainOfBothKeepsItsProteinAlone) {
    const std::string text = pdb({}) + nucleotide(" DA", 5, 20, false, 'A');
    const Structure s = read_text(text, {"A"});
    EXPECT_EQ(residues_of(s), Names{"ALA"});
    EXPECT_EQ(s.nucleic_atoms_skipped, 5);
}

TEST(Nucleotides, StrandsOfOneChainAreSegments) {
    // A nick of 3.5 A and a missing nucleotide do not end a strand. 16 A do, and so does a missing
    // phosphate.
    const std::string text = nucleotide(" DA", 1, 0) + nucleotide(" DA", 2, 8) +
                             nucleotide(" DA", 4, 20.5) + nucleotide(" DA", 5, 41) +
                             nucleotide(" DA", 6, 47);
    const Structure s = read_text(text);
    std::vector<int> segments;
    for (const AtomRecord& atom : s.atoms)
        if (atom.name == "C1'") segments.push_back(atom.segment);
    EXPECT_EQ(segments, (std::vector<int>{0, 0, 0, 1, 1}));

    const std::string without_p =
        nucleotide(" DA", 2, 6).substr(nucleotide(" DA", 2, 6).find('\n'));
    const Structure two = read_text(nucleotide(" DA", 1, 0) + without_p);
    EXPECT_EQ(two.atoms.front().segment, 0);
    EXPECT_EQ(two.atoms.back().segment, 1);
}

TEST(Nucleotides, MmcifNamesTheKindsOfPolymers) {
    const Structure protein = read_text(pdb({}));
    const Structure dna = read_text(nucleotide(" DA", 1, 0) + nucleotide(" DC", 2, 6));
    const Structure rna = read_text(nucleotide("  A", 1, 0, true) + nucleotide("  C", 2, 6, true));
    const auto written = [&](const Structure& other) {
        const std::string path = temporary_path("out.cif");
        tessera::io::write_mmcif(
            path, {{{"a complex"}, {{&protein, {}, "receptor"}, {&other, {}, "ligand"}}}});
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        std::remove(path.c_str());
        return text;
    };
    EXPECT_NE(written(dna).find("polydeoxyribonucleotide"), std::string::npos);
    EXPECT_NE(written(dna).find("polypeptide(L)"), std::string::npos);
    EXPECT_NE(written(rna).find("polyribonucleotide"), std::string::npos);
    EXPECT_EQ(written(protein).find("_entity_poly"), std::string::npos);
}

}  // namespace
